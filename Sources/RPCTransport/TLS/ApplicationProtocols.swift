import COpenSSL

/// The application protocols that one side speaks, the preferred one first (ALPN, RFC 7301).
struct ApplicationProtocols: Sendable {
  let names: [String]
  /// As on the wire: each name behind its length.
  let wire: [UInt8]

  init(_ names: [String]) throws(TLSConfigurationError) {
    var wire: [UInt8] = []
    for name in names {
      guard let size = UInt8(exactly: name.utf8.count), size > 0 else {
        throw TLSConfigurationError(
          .unusable, "the application protocol '\(name)' must have 1 to 255 bytes")
      }
      wire.append(size)
      wire.append(contentsOf: name.utf8)
    }
    guard !names.isEmpty else {
      throw TLSConfigurationError(.unusable, "at least one application protocol is needed")
    }
    self.names = names
    self.wire = wire
  }

  /// The names in a list from the wire.
  static func names(in wire: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
    var names: [UnsafeBufferPointer<UInt8>] = []
    var index = 0
    while index < wire.count {
      let end = index + 1 + Int(wire[index])
      guard end <= wire.count else { break }
      names.append(UnsafeBufferPointer(rebasing: wire[(index + 1)..<end]))
      index = end
    }
    return names
  }

  /// The first of this side's protocols that is among the offered ones.
  func select(
    from offered: [UnsafeBufferPointer<UInt8>]
  ) -> UnsafeBufferPointer<UInt8>? {
    for name in names {
      if let match = offered.first(where: { $0.elementsEqual(name.utf8) }) { return match }
    }
    return nil
  }

  /// "onside/1, h2".
  var text: String { names.joined(separator: ", ") }
}

/// A peer's bytes as text for people: printable ASCII, the rest as `\xNN`, at most 64 bytes.
func printable(_ bytes: some Sequence<UInt8>) -> String {
  var text = ""
  for byte in bytes.prefix(64) {
    if byte >= 0x20 && byte < 0x7F {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
  return text
}
