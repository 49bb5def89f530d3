/// The last month that a card is good in.
public struct CardExpiry: Hashable, Sendable {
  /// How many years ahead of now a card may expire.
  public static let maximumYears = 30

  /// 1 to 12.
  public let month: Int

  /// Four digits.
  public let year: Int

  /// An expiry as it was stored; nil if it can't be one.
  public init?(month: Int, year: Int) {
    guard (1...12).contains(month), (1_000...9_999).contains(year) else { return nil }
    self.month = month
    self.year = year
  }

  /// Checks what a user entered.
  ///
  /// - Throws: Also when the month has ended everywhere on Earth.
  public init(month: Int, year: Int, now: Timestamp) throws(CardProblem) {
    guard (1...12).contains(month) else { throw .expiryMonth }
    let thisYear = Int(CivilDate(now).year)
    guard (1_000...9_999).contains(year), year <= thisYear + Self.maximumYears,
      let expiry = CardExpiry(month: month, year: year)
    else { throw .expiryYear }
    guard !expiry.isOver(at: now) else { throw .expired }
    self = expiry
  }

  /// Whether the month has ended, also in the time zone furthest west.
  public func isOver(at now: Timestamp) -> Bool {
    let next = month == 12 ? (year + 1, 1) : (year, month + 1)
    let end = CivilDate(year: Int64(next.0), month: next.1, day: 1).daysSince1970 * 86_400_000
    return now.milliseconds >= end + Self.furthestWest
  }

  /// UTC−12 in milliseconds.
  private static let furthestWest: Int64 = 12 * 3_600_000
}
