import RPC
import Testing

@testable import OnsideServices

@Suite("Back-off after wrong attempts")
struct AttemptBackoffTests {
  private func at(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
  }

  @Test("The first failures are free; then the wait doubles up to its limit")
  func doubles() {
    var backoff = AttemptBackoff<String>()
    for _ in 0..<5 {
      backoff.failed("a", now: at(0))
      #expect(backoff.wait("a", now: at(0)) == nil)
    }
    var waits: [Duration] = []
    for _ in 0..<8 {
      backoff.failed("a", now: at(0))
      waits.append(backoff.wait("a", now: at(0)) ?? .zero)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    #expect(backoff.wait("a", now: at(59)) == .seconds(1))
    #expect(backoff.wait("a", now: at(60)) == nil)
    #expect(backoff.wait("b", now: at(0)) == nil)
  }

  @Test("A success, and a long silence, wipe the slate")
  func forgets() {
    var backoff = AttemptBackoff<String>()
    for _ in 0..<6 { backoff.failed("a", now: at(0)) }
    backoff.succeeded("a")
    #expect(backoff.wait("a", now: at(0)) == nil)
    for _ in 0..<9 { backoff.failed("b", now: at(0)) }
    backoff.failed("b", now: at(1_000))
    #expect(backoff.wait("b", now: at(1_000)) == nil)
  }

  @Test("The table never grows over its capacity, and keeps who failed last")
  func bounded() {
    var policy = AttemptBackoff<Int>.Policy()
    policy.capacity = 100
    policy.freeFailures = 0
    var backoff = AttemptBackoff<Int>(policy: policy)
    for key in 0..<100_000 {
      backoff.failed(key, now: at(0))
      if backoff.count > 100 { break }
    }
    #expect(backoff.count <= 100)
    #expect(backoff.wait(99_999, now: at(0)) == .seconds(1))
    #expect(backoff.wait(99_960, now: at(0)) == .seconds(1))
    #expect(backoff.wait(0, now: at(0)) == nil)
  }
}
