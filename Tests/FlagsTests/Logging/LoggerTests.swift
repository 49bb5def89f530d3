import Synchronization
import Testing

@testable import Logging

/// Collects lines, and is a clock that only moves when told to.
private final class Recorder: Sendable {
  let lines = Mutex<[String]>([])
  let time = Mutex(LogInstant(milliseconds: 1_796_026_109_012, monotonicNanoseconds: 5))

  func logger(_ level: LogLevel = .info, _ format: LogFormat = .text) -> Logger {
    Logger(
      level: level, format: format, clock: { self.time.withLock { $0 } },
      sink: { line in self.lines.withLock { $0.append(line) } })
  }

  func advance(seconds: Int64) {
    time.withLock { $0.monotonicNanoseconds += seconds * 1_000_000_000 }
  }

  var all: [String] { lines.withLock { $0 } }
}

@Suite struct LoggerTests {
  @Test func lineHasTimeLevelMessageAndFieldsInOrder() {
    let recorder = Recorder()
    recorder.logger().info(
      "listening", ["on": "127.0.0.1:9443", "loops": 2, "share": 0.5, "tls": true])
    #expect(
      recorder.all
        == [
          "2026-11-30T08:08:29.012Z info listening on=127.0.0.1:9443 loops=2 share=0.5 tls=true\n"
        ])
  }

  @Test func levelsBelowAreOffAndNotEvaluated() {
    let recorder = Recorder()
    let log = recorder.logger(.warning)
    var evaluated = 0
    func text(_ value: String) -> String {
      evaluated += 1
      return value
    }
    log.debug(text("a"), ["x": .string(text("b"))])
    log.info(text("a"))
    log.log(.info, text("a"), key: "k", every: .seconds(1))
    #expect(evaluated == 0)
    log.warning(text("w"))
    log.error(text("e"))
    #expect(evaluated == 2)
    #expect(recorder.all.map { $0.split(separator: " ")[1] } == ["warning", "error"])
    log.level = .debug
    log.debug("now")
    #expect(recorder.all.count == 3)
    #expect(log.isEnabled(.debug))
  }

  @Test func controlCharactersCanNotForgeALine() {
    let recorder = Recorder()
    let log = recorder.logger()
    log.info("a\nb", ["x": "1 y=2\r\n\u{1B}[2J\u{202E}\u{85}\"q\"\\"])
    #expect(recorder.all.count == 1)
    #expect(
      recorder.all[0].hasSuffix(
        #" info a\nb x="1 y=2\r\n\u{1b}[2J\u{202e}\u{85}\"q\"\\""# + "\n"))
  }

  @Test func secretsAreNeverWritten() {
    let recorder = Recorder()
    let secret = Secret("hunter2")
    recorder.logger().info("\(secret)", ["a": .secret(secret), "b": .describing(secret)])
    recorder.logger(.info, .json).info("\(secret)", ["a": .secret(secret)])
    var dumped = ""
    dump(secret, to: &dumped)
    for text in recorder.all + [dumped, String(reflecting: secret), "\([secret])"] {
      #expect(!text.contains("hunter2"))
    }
    #expect(recorder.all[0].hasSuffix("info [redacted] a=[redacted] b=[redacted]\n"))
    #expect(secret.reveal() == "hunter2")
  }

  @Test func jsonLines() {
    let recorder = Recorder()
    recorder.logger(.info, .json).error(
      "it \"broke\"\n", ["n": -3, "x": 1.5, "no": false, "nan": .number(.nan), "u": "é\u{7F}😀"])
    #expect(
      recorder.all
        == [
          #"{"time":"2026-11-30T08:08:29.012Z","level":"error","message":"it \"broke\"\n","#
            + #""n":-3,"x":1.5,"no":false,"nan":"nan","u":"é\u007f😀"}"# + "\n"
        ])
  }

  @Test func longValuesAreCut() {
    let recorder = Recorder()
    recorder.logger().info("m", ["x": .string(String(repeating: "a", count: 5000))])
    #expect(recorder.all[0].contains("…(5000 bytes)"))
    #expect(recorder.all[0].utf8.count < 1200)
  }

  @Test func invalidKeysAndHugeCounts() {
    let recorder = Recorder()
    recorder.logger().info("m", ["a b": 1, "": 2, "c": .count(UInt64.max)])
    #expect(recorder.all[0].hasSuffix("m invalid_key=1 invalid_key=2 c=18446744073709551615\n"))
  }

  @Test func rateLimitCountsWhatItSuppresses() {
    let recorder = Recorder()
    let log = recorder.logger()
    for _ in 0..<5 { log.log(.info, "m", key: "a", every: .seconds(10)) }
    log.log(.info, "other", key: "b", every: .seconds(10))
    #expect(recorder.all.count == 2)
    recorder.advance(seconds: 10)
    log.log(.info, "m", key: "a", every: .seconds(10))
    log.log(.info, "other", key: "b", every: .seconds(10))
    #expect(recorder.all[2].hasSuffix("m suppressed=4\n"))
    #expect(recorder.all[3].hasSuffix("other\n"))
  }

  @Test func suppressedLinesAreReportedOnce() {
    let recorder = Recorder()
    let log = recorder.logger()
    for _ in 0..<3 { log.log(.info, "m", key: "a", every: .seconds(10)) }
    log.reportSuppressed()
    log.reportSuppressed()
    #expect(recorder.all.count == 2)
    #expect(recorder.all[1].hasSuffix("lines suppressed key=a count=2\n"))
  }

  @Test func keysOfARateLimitAreBounded() {
    var limits = RateLimits()
    for number in 0..<RateLimits.mostKeys {
      #expect(limits.admit("\(number)", interval: 100, now: 0) == 0)
    }
    #expect(limits.admit("new", interval: 100, now: 1) == 0)
    #expect(limits.admit("newer", interval: 100, now: 1) == nil)
    // Later there is room again; what the shared entry suppressed isn't lost.
    #expect(limits.admit("newest", interval: 100, now: 200) == 0)
    #expect(limits.takeSuppressed().map(\.count) == [1])
    #expect(limits.takeSuppressed().isEmpty)
  }

  @Test func levelsByName() {
    for level in LogLevel.allCases { #expect(LogLevel(name: level.name) == level) }
    #expect(LogLevel(name: "loud") == nil)
    #expect(LogLevel.debug < .error)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func times(_ milliseconds: Int64, _ text: String) {
    #expect(LogInstant(milliseconds: milliseconds, monotonicNanoseconds: 0).utc == text)
  }
}
