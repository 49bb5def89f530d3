/// A phone number in the international form of ITU-T E.164.
///
/// A number names a person: what a value is printed as shows its last two digits only, so that no
/// log or error has the rest.
public struct PhoneNumber: Hashable, Sendable {
  /// All digits as one number: the first is never 0, so that no two numbers share a value.
  private let digits: UInt64

  /// How many digits a number may have, its country code among them.
  public static let digitCounts = 8...15

  /// Reads `+`, a country code and the rest, 8 to 15 digits in all; nil for anything else, also for
  /// spaces and other separators.
  public init?(e164 text: String) {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "+"), Self.digitCounts.contains(bytes.count - 1) else {
      return nil
    }
    var value: UInt64 = 0
    for byte in bytes.dropFirst() {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let digit = UInt64(byte - UInt8(ascii: "0"))
      // No country code begins with 0.
      if value == 0 && digit == 0 { return nil }
      value = value * 10 + digit
    }
    digits = value
  }

  /// `+4915112345678`: for the store and the gateway that sends codes, never for a log.
  public var e164: String { "+\(digits)" }

  /// The number with all but its last two digits hidden: `+***********78`.
  public var hint: String {
    let text = String(digits)
    return "+" + String(repeating: "*", count: text.utf8.count - 2) + text.suffix(2)
  }

  /// The country that the number belongs to by its first digits; nil for codes of no country, such
  /// as those of satellites.
  public var country: CountryCode? { CallingCodes.country(ofDigits: digits) }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The hint, never the number.
  public var description: String { hint }

  /// The hint, never the number.
  public var debugDescription: String { hint }

  /// Shows the hint, never the number.
  public var customMirror: Mirror { Mirror(self, children: ["hint": hint]) }
}
