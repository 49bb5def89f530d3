import OnsideDomain
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_799_999, "2000-02-29T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func writesAndReads(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test func whatIsWrittenIsReadBack() {
    for _ in 0..<5_000 {
      let range = Timestamp.writable
      let moment = Timestamp(
        milliseconds: .random(in: range.lowerBound.milliseconds...range.upperBound.milliseconds))
      #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
    }
  }

  @Test(arguments: [Int64.min, .min + 1, .max])
  func writesTheNearestMomentThatHasAText(milliseconds: Int64) {
    let text = Timestamp(milliseconds: milliseconds).rfc3339
    #expect(
      text
        == (milliseconds < 0 ? Timestamp.writable.lowerBound : Timestamp.writable.upperBound)
        .rfc3339)
  }

  @Test(arguments: [
    ("2026-03-01T12:30:05Z", "2026-03-01T12:30:05.000Z"),
    ("2026-03-01T12:30:05.2Z", "2026-03-01T12:30:05.200Z"),
    ("2026-03-01T12:30:05.123456789Z", "2026-03-01T12:30:05.123Z"),
    ("2026-03-01T01:30:05+02:00", "2026-02-28T23:30:05.000Z"),
    ("2026-03-01T12:30:05-00:30", "2026-03-01T13:00:05.000Z"),
  ])
  func readsOtherFormsOfAMoment(text: String, expected: String) {
    #expect(Timestamp(rfc3339: text)?.rfc3339 == expected)
  }

  @Test(arguments: [
    "", "2026-03-01", "2026-03-01T12:30Z", "2026-03-01 12:30:05Z", "2026-03-01T12:30:05",
    "2026-13-01T12:30:05Z", "2026-00-01T12:30:05Z", "2026-02-29T12:30:05Z", "2026-02-00T12:30:05Z",
    "2026-03-32T12:30:05Z", "2026-03-01T24:00:00Z", "2026-03-01T12:60:05Z", "2026-03-01T12:30:60Z",
    "2026-03-01T12:30:05.Z", "2026-03-01T12:30:05+24:00", "2026-03-01T12:30:05Zx",
    "0000-03-01T12:30:05Z", "-026-03-01T12:30:05Z", "2026-03-01T12:30:05.1 Z",
  ])
  func refuses(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  /// Case B48: a shared formatter would garble some of them.
  @Test func writesTheSameOnManyTasksAtOnce() async {
    let wrong = await withTaskGroup(of: Int.self) { group in
      for task in 0..<1_000 {
        group.addTask {
          let moment = Timestamp(milliseconds: Int64(task) * 86_400_123)
          let first = moment.rfc3339
          return (0..<20).count { _ in
            moment.rfc3339 != first || Timestamp(rfc3339: first) != moment
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }
}
