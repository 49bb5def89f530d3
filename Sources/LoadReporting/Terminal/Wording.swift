import Glibc

/// How figures are written for people.
package enum Wording {
  package static let nothing = "–"

  /// `1234567` as `1,234,567`.
  package static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// About three digits, with a unit: `812 µs`, `1.24 ms`, `10.2 s`.
  package static func time(microseconds: Double?) -> String {
    guard let value = microseconds else { return "none" }
    if value < 999.5 { return "\(digits(value)) µs" }
    if value < 999_500 { return "\(digits(value / 1e3)) ms" }
    return "\(digits(value / 1e6)) s"
  }

  /// About three digits.
  package static func digits(_ value: Double?) -> String {
    guard let value else { return nothing }
    if value >= 100 { return grouped(Int(value.rounded())) }
    return fixed(value, places: value >= 9.995 ? 1 : 2)
  }

  /// `45.2 MiB`.
  package static func memory(bytes: Double?) -> String {
    guard let bytes else { return nothing }
    return "\(fixed(bytes / 1_048_576, places: 1)) MiB"
  }

  /// A round time at the side of a chart: `500 µs`, `2 ms`, `10 s`.
  package static func tick(microseconds value: Double) -> String {
    if value < 999.5 { return "\(rounded(value, places: 3)) µs" }
    if value < 999_500 { return "\(rounded(value / 1e3, places: 3)) ms" }
    return "\(rounded(value / 1e6, places: 3)) s"
  }

  /// A round number at the side of a chart: `500`, `20k`, `1.5M`.
  package static func compact(_ value: Double) -> String {
    if value >= 1e6 { return "\(rounded(value / 1e6, places: 2))M" }
    return value >= 1e4 ? "\(rounded(value / 1e3, places: 1))k" : rounded(value, places: 2)
  }

  /// A round length of time: `45 s`, `2 min`, `1.5 h`.
  package static func span(seconds: Double) -> String {
    if seconds >= 3600 { return "\(rounded(seconds / 3600, places: 2)) h" }
    return seconds >= 120
      ? "\(rounded(seconds / 60, places: 1)) min" : "\(rounded(seconds, places: 1)) s"
  }

  /// A share of 1 as `0.31%`, `99.9%`, `100%`; never rounded to all or nothing.
  package static func percent(_ share: Double) -> String {
    let value = share * 100
    if value > 99.9, value < 100 {
      return value > 99.99 ? ">99.99%" : "\(fixed(value, places: 2))%"
    }
    if value > 0, value < 0.01 { return "<0.01%" }
    return "\(rounded(value, places: value < 1 ? 2 : 1))%"
  }

  /// With exactly so many decimal places.
  package static func fixed(_ value: Double, places: Int) -> String {
    var text = rounded(value, places: places)
    let point = text.firstIndex(of: ".") ?? text.endIndex
    let there = text.distance(from: point, to: text.endIndex) - 1
    if there < 0, places > 0 { text += "." }
    return text + String(repeating: "0", count: places - max(0, there))
  }
}

/// `2026-11-30T08:05:09Z`.
package func utc(milliseconds: Int64) -> String {
  var seconds = time_t(milliseconds / 1000)
  var parts = tm()
  guard gmtime_r(&seconds, &parts) != nil else { return "unknown" }
  func padded(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
  return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    + "T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
}
