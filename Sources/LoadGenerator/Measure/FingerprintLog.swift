/// Finds out whether texts that have to be different were: session tokens, transaction identifiers.
///
/// While loading only a 64-bit fingerprint of each text is kept, appended to chunks; the search for
/// equal ones happens afterwards. Two different texts of ten million have the same fingerprint with
/// a probability of about 3 in a million runs.
public struct FingerprintLog: Sendable {
  private static let chunkSize = 1 << 16

  private var full: [[UInt64]] = []
  private var current: [UInt64] = []
  private let limit: Int

  /// How many texts were seen, those beyond the limit too.
  public private(set) var count = 0

  /// - Parameter limit: how many fingerprints are kept at most, 8 bytes each.
  public init(limit: Int = 1 << 26) {
    self.limit = limit
  }

  /// Adds a text.
  @inline(__always)
  public mutating func append(_ text: String) {
    append(
      fingerprint: text.utf8.withContiguousStorageIfAvailable(Fingerprint.of(_:))
        ?? Fingerprint.of(slow: text))
  }

  /// Adds a text by its fingerprint.
  @inline(__always)
  public mutating func append(fingerprint: UInt64) {
    count &+= 1
    if current.count == FingerprintLog.chunkSize { startChunk() }
    if count <= limit { current.append(fingerprint) }
  }

  private mutating func startChunk() {
    full.append(current)
    current = []
    current.reserveCapacity(FingerprintLog.chunkSize)
  }

  /// How many fingerprints can be compared.
  public var kept: Int { Swift.min(count, limit) }

  /// All that were kept.
  var values: [UInt64] { full.flatMap { $0 } + current }

  /// Takes over what another log has.
  public mutating func merge(_ other: FingerprintLog) {
    full += other.full
    full.append(other.current)
    count += other.count
  }

  /// How many of the texts were there before: 0 if all are different.
  public func duplicates() -> Int {
    var all = values
    sortByDigits(&all)
    var found = 0
    for index in all.indices.dropFirst() where all[index] == all[index - 1] { found += 1 }
    return found
  }
}

/// A fast hash of bytes; not for input that somebody chose to collide.
enum Fingerprint {
  @inline(__always)
  static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    of(UnsafeRawBufferPointer(bytes))
  }

  @inline(__always)
  static func of(_ raw: UnsafeRawBufferPointer) -> UInt64 {
    var state = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: raw.count)
    var offset = 0
    while offset &+ 8 <= raw.count {
      state = mixed(state ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    var tail: UInt64 = 0
    while offset < raw.count {
      tail = tail << 8 | UInt64(raw[offset])
      offset &+= 1
    }
    return mixed(mixed(state ^ tail))
  }

  static func of(slow text: String) -> UInt64 {
    Array(text.utf8).withUnsafeBufferPointer(of(_:))
  }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}

/// Least significant digit first, 16 bits at a time: ten million take a fraction of a second.
private func sortByDigits(_ values: inout [UInt64]) {
  var spare = [UInt64](repeating: 0, count: values.count)
  for shift in stride(from: UInt64(0), to: 64, by: 16) {
    var starts = [Int](repeating: 0, count: (1 << 16) + 1)
    for value in values { starts[Int(value >> shift & 0xFFFF) + 1] += 1 }
    for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
    for value in values {
      let digit = Int(value >> shift & 0xFFFF)
      spare[starts[digit]] = value
      starts[digit] += 1
    }
    swap(&values, &spare)
  }
}
