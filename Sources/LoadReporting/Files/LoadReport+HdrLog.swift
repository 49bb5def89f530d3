import CZlib

extension LoadReport {
  /// The histograms as an HdrHistogram interval log (V2, text): a line without a tag for the right
  /// answers of each measured second, and one of the whole run for each phase, with its name as the
  /// tag. Values are nanoseconds.
  ///
  /// A report from before seconds had histograms has the whole run in one line without a tag.
  public var hdrLog: String {
    let report = normalised
    let start = Double(report.startedAt) / 1e3
    var lines = [
      "#[Histogram log format version 1.3]",
      "#[StartTime: \(Wording.fixed(start, places: 3)) (seconds since epoch),"
        + " \(utc(milliseconds: report.startedAt))]",
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"",
    ]
    lines += report.secondLines
    let first = report.series.first { $0.isMeasured }?.second ?? 1
    func add(_ tag: String?, _ latency: LatencyHistogram) {
      guard latency.count > 0 else { return }
      lines.append(
        line(tag, from: first - 1, report.seconds, max: latency.max, latency.hdrText))
    }
    if report.secondLines.isEmpty { add(nil, report.calls.latency) }
    for phase in report.phases { add(phase.phase.rawValue, phase.latency) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// An interval for each measured second that had answers.
  private var secondLines: [String] {
    var begin = 0.0
    var lines: [String] = []
    for second in series {
      defer { begin = second.second }
      guard second.isMeasured, let histogram = second.histogram, let most = second.max else {
        continue
      }
      lines.append(line(nil, from: begin, second.second - begin, max: most, histogram.text))
    }
    return lines
  }

  private func line(
    _ tag: String?, from begin: Double, _ length: Double, max: UInt64, _ histogram: String
  ) -> String {
    let numbers = [Swift.max(0, begin), length, Double(max) / 1e6]
      .map { Wording.fixed($0, places: 3) }.joined(separator: ",")
    return (tag.map { "Tag=\($0)," } ?? "") + "\(numbers),\(histogram)"
  }
}

extension LatencyHistogram {
  /// In HdrHistogram's compressed V2 form, in Base64.
  ///
  /// Two significant digits make its buckets the same as ours: 256 values that are exact, then
  /// 128 to each power of two.
  var hdrText: String {
    let plain = hdrBytes
    var packed = [UInt8](repeating: 0, count: Int(compressBound(uLong(plain.count))))
    var count = uLongf(packed.count)
    // With as much room as zlib asked for it can't fail.
    _ = compress2(&packed, &count, plain, uLong(plain.count), 9)
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(0x1C84_9314))
    bytes.append(bigEndian: UInt32(count))
    bytes += packed.prefix(Int(count))
    return base64(bytes)
  }

  /// The V2 form before compression: a head of 40 bytes, then the counts up to the last one that
  /// isn't zero. A run of zeros is one negative number.
  private var hdrBytes: [UInt8] {
    var counts: [UInt8] = []
    var next = 0
    for bucket in filledBuckets {
      if bucket.index > next { counts.append(zigZag: -Int64(bucket.index - next)) }
      counts.append(zigZag: Int64(clamping: bucket.count))
      next = bucket.index + 1
    }
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(0x1C84_9313))
    bytes.append(bigEndian: UInt32(counts.count))
    // Not shifted; two significant digits; from 1 ns to an hour, or what there is.
    bytes.append(bigEndian: UInt32(0))
    bytes.append(bigEndian: UInt32(2))
    bytes.append(bigEndian: UInt64(1))
    bytes.append(bigEndian: Swift.max(max, 3_600_000_000_000))
    bytes.append(bigEndian: (1.0).bitPattern)
    return bytes + counts
  }
}

extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Seven bits to a byte, the lowest first; a ninth byte has eight.
  fileprivate mutating func append(zigZag number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    for _ in 0..<8 {
      if rest < 0x80 { break }
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

/// With padding, without line breaks.
private func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = (0..<3).reduce(UInt32(0)) { bits, place in
      bits << 8 | (place < group.count ? UInt32(group[start + place]) : 0)
    }
    for place in 0..<4 {
      let isThere = place <= group.count
      text.append(
        isThere ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}
