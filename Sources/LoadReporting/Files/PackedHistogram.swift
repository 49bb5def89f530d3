/// A histogram packed for a log, a tenth of the size of its buckets in JSON.
public struct PackedHistogram: Sendable, Equatable {
  /// HdrHistogram's compressed V2 form, in Base64.
  let text: String

  /// Packs a histogram; nil: it is empty.
  public init?(_ latency: LatencyHistogram) {
    guard latency.count > 0 else { return nil }
    text = latency.hdrText
  }

  /// What was packed before; nil: it isn't Base64.
  init?(text: String) {
    let letters = text.utf8.prefix { byte in
      byte.isASCIILetterOrDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
    let rest = text.utf8.dropFirst(letters.count)
    guard !letters.isEmpty, text.utf8.count.isMultiple(of: 4), rest.count <= 2,
      rest.allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    self.text = text
  }
}

extension UInt8 {
  fileprivate var isASCIILetterOrDigit: Bool {
    let character = Unicode.Scalar(self)
    return ("a"..."z").contains(character) || ("A"..."Z").contains(character)
      || ("0"..."9").contains(character)
  }
}
