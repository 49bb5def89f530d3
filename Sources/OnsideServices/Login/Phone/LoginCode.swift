import COpenSSL

/// The six digits that are sent to a phone. A secret.
struct LoginCode: Sendable {
  static let digitCount = 6

  /// ASCII digits, leading zeros included.
  let text: String

  /// A code of some generator, each of the million as likely as any other.
  static func random(using generator: inout some RandomNumberGenerator) -> LoginCode {
    let digits = String(Int.random(in: 0..<1_000_000, using: &generator))
    let zeros = String(repeating: "0", count: digitCount - digits.utf8.count)
    return LoginCode(text: zeros + digits)
  }

  /// A code of the system's generator, which nobody can foresee.
  static func random() -> LoginCode {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// Whether a presented text is the code. It takes the same time for every text of six bytes.
  func matches(_ presented: String) -> Bool {
    let (own, other) = (Array(text.utf8), Array(presented.utf8))
    guard own.count == other.count else { return false }
    return CRYPTO_memcmp(own, other, own.count) == 0
  }
}

extension LoginCode: CustomStringConvertible, CustomReflectable {
  /// Never the code.
  var description: String { "[redacted]" }

  /// Never the code.
  var customMirror: Mirror { Mirror(self, children: []) }
}
