/// A length of calendar time: 3 months, 1 year.
public struct Period: Hashable, Sendable {
  /// A unit of calendar time. The raw values are those of `PeriodUnit` in `common.proto`.
  public enum Unit: UInt8, Hashable, Sendable, CaseIterable {
    case day = 1
    case week = 2
    case month = 3
    case year = 4

    /// The designator of ISO 8601.
    var designator: Character {
      switch self {
      case .day: "D"
      case .week: "W"
      case .month: "M"
      case .year: "Y"
      }
    }
  }

  /// The most units that a period may have.
  public static let maximumCount = 10_000

  public let unit: Unit

  /// 1 to `maximumCount`.
  public let count: Int

  /// A period of `count` units; nil if the count isn't 1 to `maximumCount`.
  public init?(_ count: Int, _ unit: Unit) {
    guard (1...Self.maximumCount).contains(count) else { return nil }
    self.unit = unit
    self.count = count
  }

  /// Reads a duration of ISO 8601 with one unit of a day or more: `P3D`, `P1W`, `P2M`, `P1Y`.
  ///
  /// Nil for anything else: several units have no fixed length, and nothing is sold by the hour.
  public init?(iso8601 text: String) {
    var digits = text.utf8[...]
    guard digits.popFirst() == UInt8(ascii: "P"), let last = digits.popLast() else { return nil }
    let designator = Character(Unicode.Scalar(last))
    guard let unit = Unit.allCases.first(where: { $0.designator == designator }),
      (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(Substring(digits))
    else { return nil }
    self.init(count, unit)
  }

  /// The moment that a period ends which begins at `start`, in UTC: months and years end on the
  /// same day of the month, or on its last one.
  public func end(from start: Timestamp) -> Timestamp {
    let perDay: Int64 = 86_400_000
    switch unit {
    case .day: return Timestamp(milliseconds: start.milliseconds + Int64(count) * perDay)
    case .week: return Timestamp(milliseconds: start.milliseconds + Int64(count) * 7 * perDay)
    case .month, .year:
      let date = CivilDate(start)
      let timeOfDay = start.milliseconds - date.daysSince1970 * perDay
      let months = Int64(date.month - 1) + Int64(unit == .year ? count * 12 : count)
      let first = CivilDate(year: date.year + months / 12, month: Int(months % 12) + 1, day: 1)
      let day = min(date.day, first.daysInMonth)
      let days = first.daysSince1970 + Int64(day - 1)
      return Timestamp(milliseconds: days * perDay + timeOfDay)
    }
  }

  /// The duration of ISO 8601: `P1M`.
  public var iso8601: String { "P\(count)\(unit.designator)" }
}

extension Period: CustomStringConvertible {
  /// The duration of ISO 8601.
  public var description: String { iso8601 }
}
