/// A moment: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct Timestamp: Hashable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The moments that have a text: years 0001 to 9999, as RFC 3339 has them.
  public static let writable = Timestamp(year: 1)...Timestamp(year: 10_000).adding(-1)

  private init(year: Int64) {
    milliseconds = CivilDate(year: year, month: 1, day: 1).daysSince1970 * Self.perDay
  }

  private func adding(_ count: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds + count)
  }

  private static let perDay: Int64 = 86_400_000

  /// The moment by RFC 3339 in UTC with milliseconds: `2026-03-01T12:30:05.250Z`.
  ///
  /// A moment outside of `writable` is written as the nearest one inside. Allocates at most the
  /// string and shares no formatter, so any number of threads may call it.
  public var rfc3339: String {
    let moment = min(
      max(milliseconds, Self.writable.lowerBound.milliseconds),
      Self.writable.upperBound.milliseconds)
    let days = moment.flooredQuotient(Self.perDay)
    var rest = Int(moment - days * Self.perDay)
    let date = CivilDate(daysSince1970: days)
    return String(unsafeUninitializedCapacity: 24) { bytes in
      var writer = DigitWriter(bytes: bytes)
      writer.append(Int(date.year), width: 4, then: "-")
      writer.append(date.month, width: 2, then: "-")
      writer.append(date.day, width: 2, then: "T")
      for (unit, mark) in [(3_600_000, ":"), (60_000, ":"), (1_000, ".")] as [(Int, Unicode.Scalar)]
      {
        writer.append(rest / unit, width: 2, then: mark)
        rest %= unit
      }
      writer.append(rest, width: 3, then: "Z")
      return writer.count
    }
  }

  /// Reads what RFC 3339 allows: a date, `T`, a time with optional fraction, and `Z` or an offset.
  ///
  /// Digits beyond milliseconds are dropped. Nil for anything else, also for a leap second.
  public init?(rfc3339 text: String) {
    var reader = DigitReader(bytes: text.utf8[...])
    guard let year = reader.number(4, then: "-"), let month = reader.number(2, then: "-"),
      let day = reader.number(2, then: "T"), let hour = reader.number(2, then: ":"),
      let minute = reader.number(2, then: ":"), let second = reader.number(2),
      let fraction = reader.milliseconds(), let offset = reader.offsetMinutes(), reader.isAtEnd,
      (1...9_999).contains(year), (1...12).contains(month), hour < 24, minute < 60, second < 60
    else { return nil }
    let date = CivilDate(year: Int64(year), month: month, day: day)
    guard day >= 1, day <= date.daysInMonth else { return nil }
    let minutes = date.daysSince1970 * 1_440 + Int64(hour * 60 + minute - offset)
    milliseconds = minutes * 60_000 + Int64(second * 1_000 + fraction)
  }
}

extension Timestamp: Comparable {
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment by RFC 3339.
  public var description: String { rfc3339 }
}
