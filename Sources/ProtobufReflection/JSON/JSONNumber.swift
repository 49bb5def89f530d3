/// The grammar of numbers in JSON, and exact integers of them.
enum JSONNumber {
  /// How many bytes at the start are a number; 0: none.
  static func length(_ bytes: some Collection<UInt8>) -> Int {
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let isZero = rest.first == UInt8(ascii: "0")
    let whole = digits(rest)
    guard whole > 0, !isZero || whole == 1 else { return 0 }
    rest = rest.dropFirst(whole)
    if rest.first == UInt8(ascii: ".") {
      let fraction = digits(rest.dropFirst())
      guard fraction > 0 else { return 0 }
      rest = rest.dropFirst(1 + fraction)
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      var exponent = rest.dropFirst()
      if exponent.first == UInt8(ascii: "+") || exponent.first == UInt8(ascii: "-") {
        exponent = exponent.dropFirst()
      }
      let count = digits(exponent)
      guard count > 0 else { return 0 }
      rest = exponent.dropFirst(count)
    }
    return bytes.count - rest.count
  }

  /// Whether all of a text is a number.
  static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && length(text.utf8) == text.utf8.count
  }

  private static func digits(_ bytes: some Collection<UInt8>) -> Int {
    bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
  }

  /// The integer of a number, also where it is written with a fraction of zeros or an exponent:
  /// `1.0`, `1e5`. Exact, without a Double in between.
  ///
  /// - Returns: nil when it isn't an integer of the type.
  static func integer<Value: FixedWidthInteger>(_ text: String, as type: Value.Type) -> Value? {
    guard isNumber(text) else { return nil }
    if let value = Value(text) { return value }
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let mantissa = parts[0].split(separator: ".", maxSplits: 1)
    let fraction = mantissa.count == 2 ? String(mantissa[1]) : ""
    var digits = String(mantissa[0]) + fraction
    // No integer here has more than 20 digits; a larger exponent can't be one, unless it's zero.
    guard let exponent = parts.count == 2 ? Int(parts[1]) : 0, abs(exponent) <= 4_096 else {
      return digits.allSatisfy { $0 == "0" } ? 0 : nil
    }
    let shift = exponent - fraction.count
    if shift < 0 {
      let dropped = digits.suffix(-shift)
      guard dropped.allSatisfy({ $0 == "0" }) else { return nil }
      digits = String(digits.dropLast(-shift))
    } else {
      let significant = digits.drop { $0 == "0" }
      guard significant.count + shift <= 20 else { return significant.isEmpty ? 0 : nil }
      digits = significant + String(repeating: "0", count: shift)
    }
    if digits.isEmpty { return 0 }
    return Value((isNegative ? "-" : "") + digits)
  }
}
