/// Times of `google.protobuf.Timestamp` and spans of `google.protobuf.Duration` as text.
enum RFC3339 {
  /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds since 1970.
  static let timeRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// About 10,000 years, in seconds; a fraction may come on top.
  static let spanRange: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  /// `2024-02-29T12:30:00.500Z`; nil when the time is out of range.
  static func time(seconds: Int64, nanoseconds: Int32) -> String? {
    guard timeRange.contains(seconds), 0..<1_000_000_000 ~= nanoseconds else { return nil }
    let day = Int((seconds - floorRemainder(seconds, 86_400)) / 86_400)
    let rest = Int(floorRemainder(seconds, 86_400))
    let date = civil(fromDays: day)
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
      + fraction(nanoseconds) + "Z"
  }

  /// Reads a time with any offset; nil when it is none, or out of range.
  static func time(_ text: String) -> (seconds: Int64, nanoseconds: Int32)? {
    var reader = DigitReader(text)
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
      reader.take("-"), let day = reader.digits(2), reader.take("T"),
      let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2),
      reader.take(":"), let second = reader.digits(2), let nanoseconds = reader.fraction(),
      let offset = reader.offset(), reader.isAtEnd,
      1...12 ~= month, 1...daysIn(month: month, year: year) ~= day, year >= 1,
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Int64(days(year: year, month: month, day: day))
    let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(offset)
    return timeRange.contains(seconds) ? (seconds, nanoseconds) : nil
  }

  /// `-1.500s`; nil when the span is out of range, or its parts have different signs.
  static func span(seconds: Int64, nanoseconds: Int32) -> String? {
    guard spanRange.contains(seconds), -999_999_999...999_999_999 ~= nanoseconds,
      !(seconds > 0 && nanoseconds < 0), !(seconds < 0 && nanoseconds > 0)
    else { return nil }
    let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
    return "\(sign)\(abs(seconds))\(fraction(abs(nanoseconds)))s"
  }

  /// Reads a span; nil when it is none, or out of range.
  static func span(_ text: String) -> (seconds: Int64, nanoseconds: Int32)? {
    var reader = DigitReader(text)
    let isNegative = reader.take("-")
    guard let seconds = reader.allDigits(), let nanoseconds = reader.fraction(),
      reader.take("s"), reader.isAtEnd, spanRange.contains(seconds)
    else { return nil }
    return isNegative ? (-seconds, -nanoseconds) : (seconds, nanoseconds)
  }

  /// Nothing, or 3, 6 or 9 digits behind a point.
  private static func fraction(_ nanoseconds: Int32) -> String {
    if nanoseconds == 0 { return "" }
    let value = Int(nanoseconds)
    if value.isMultiple(of: 1_000_000) { return "." + padded(value / 1_000_000, 3) }
    if value.isMultiple(of: 1_000) { return "." + padded(value / 1_000, 6) }
    return "." + padded(value, 9)
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floorRemainder(_ value: Int64, _ divisor: Int64) -> Int64 {
    let remainder = value % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }

  private static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// Days since 1970-01-01 of the proleptic Gregorian calendar, whose year here begins in March.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year % 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The inverse, for days within the range of times.
  private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }
}

/// Takes fixed forms from the start of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Exactly so many digits.
  mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else {
        return nil
      }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      rest = rest.dropFirst()
    }
    return value
  }

  /// 1 to 12 digits.
  mutating func allDigits() -> Int64? {
    let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
    guard 1...12 ~= count else { return nil }
    return digits(count).map(Int64.init)
  }

  /// Nothing, or a point and 1 to 9 digits: nanoseconds.
  mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
    guard 1...9 ~= count, var value = digits(count) else { return nil }
    for _ in count..<9 { value *= 10 }
    return Int32(value)
  }

  /// `Z`, or a sign, hours and minutes: seconds to take away.
  mutating func offset() -> Int? {
    if take("Z") { return 0 }
    let isNegative = take("-")
    guard isNegative || take("+"), let hours = digits(2), take(":"), let minutes = digits(2),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isNegative ? -seconds : seconds
  }
}
