import CLinux
import Glibc
import RPCTransport
import Testing

@Suite("Signals")
struct SignalSourceTests {
  /// Sent to the loop's own thread: the threads of the test runner don't block the signal.
  @Test func eachSignalArrivesOnce() async throws {
    try await EventLoopTests.withLoops { group in
      let loop = group.first
      let log = EventLog<Int32>()
      let source = try SignalSource([SIGUSR1, SIGUSR2], loop: loop) { log.add($0) }
      for number in [SIGUSR1, SIGUSR2, SIGUSR1] {
        let before = log.all.count
        loop.post { clinux_signal_this_thread(number) }
        _ = await log.wait(for: before + 1)
      }
      #expect(log.all == [SIGUSR1, SIGUSR2, SIGUSR1])
      source.cancel()
      await loop.run {}
    }
  }
}
