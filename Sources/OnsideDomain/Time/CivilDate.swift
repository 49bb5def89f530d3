/// A day of the proleptic Gregorian calendar.
///
/// Days are counted in years that begin in March, so that the leap day is a year's last; 400 such
/// years have 146,097 days.
struct CivilDate: Hashable, Sendable {
  let year: Int64

  /// 1 to 12.
  let month: Int

  /// 1 to 31.
  let day: Int

  init(year: Int64, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  private static let daysPerEra: Int64 = 146_097

  /// The day of a moment in UTC.
  init(_ moment: Timestamp) {
    self.init(daysSince1970: moment.milliseconds.flooredQuotient(86_400_000))
  }

  /// From 0000-03-01 to 1970-01-01.
  private static let daysToEpoch: Int64 = 719_468

  init(daysSince1970 days: Int64) {
    let shifted = days + Self.daysToEpoch
    let era = shifted.flooredQuotient(Self.daysPerEra)
    let dayOfEra = shifted - era * Self.daysPerEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / (Self.daysPerEra - 1)) / 365
    let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.flooredQuotient(400)
    let yearOfEra = marchYear - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = Int64((153 * marchMonth + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.daysToEpoch
  }

  var isLeapYear: Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// How many days this date's month has.
  var daysInMonth: Int {
    switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  /// The quotient rounded down, also below zero. The divisor is positive.
  func flooredQuotient(_ divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self + 1) / divisor - 1
  }
}
