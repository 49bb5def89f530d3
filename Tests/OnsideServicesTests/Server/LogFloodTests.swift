import Logging
import RPC
import RPCServer
import RPCTransport
import Synchronization
import Testing

@testable import OnsideServices

/// What peers can cause any number of costs few lines, and can't forge any (row 25).
@Suite("Floods in the log")
struct LogFloodTests {
  private struct NoisyError: Error, CustomStringConvertible {
    let description = "boom\n2026-11-30T00:00:00.000Z info logged in user=admin\u{1B}[2J"
  }

  /// Lines of a log whose clock stands still unless it is moved.
  private final class Lines: Sendable {
    private let state = Mutex((now: Int64(0), lines: [String]()))

    var logger: Logger {
      Logger(
        level: .debug,
        clock: {
          LogInstant(
            milliseconds: 1_800_000_000_000,
            monotonicNanoseconds: self.state.withLock { $0.now })
        },
        sink: { line in self.state.withLock { $0.lines.append(line) } })
    }

    var all: [String] { state.withLock { $0.lines } }

    func advance(seconds: Int64) { state.withLock { $0.now += seconds * 1_000_000_000 } }
  }

  private func peer(_ address: UInt32, port: UInt16) -> SocketAddress {
    .ipv4(address: address, port: port)
  }

  @Test("Ten thousand failed handshakes of one address are one line a second")
  func handshakes() throws {
    let lines = Lines()
    let observer = try #require(ListenerOptions().logging(to: lines.logger).observer)
    let end = ChannelEnd(.tls, "bad\nrecord")
    for second in 0..<3 {
      for port in 1...10_000 as ClosedRange<UInt16> {
        observer(.handshakeFailed(peer: peer(7, port: port), end: end))
      }
      #expect(lines.all.count == second + 1)
      lines.advance(seconds: 1)
    }
    #expect(lines.all[2].contains("suppressed=9999"))
  }

  @Test("Every address has a line of its own, up to a bound")
  func addresses() throws {
    let lines = Lines()
    let observer = try #require(ListenerOptions().logging(to: lines.logger).observer)
    for address in 1...5_000 as ClosedRange<UInt32> {
      observer(.connectionRefused(peer: peer(address, port: 1)))
      observer(.addressRefused(peer: peer(address, port: 1)))
      observer(.handshakeFailed(peer: peer(address, port: 1), end: ChannelEnd(.tls, "x")))
    }
    #expect(lines.all.count <= 300)
    #expect(lines.all.contains { $0.contains("0.0.0.1") })
    #expect(lines.all.contains { $0.contains("0.0.0.2") })
  }

  @Test("Control characters of peers and errors can't forge a line")
  func forgery() {
    let lines = Lines()
    let configuration = ServerConfiguration().logging(to: lines.logger)
    let method = MethodDescriptor(service: "t", method: "M", shape: .unary)
    for _ in 0..<10_000 { configuration.onHiddenError(method, NoisyError()) }
    #expect(lines.all.count == 1)
    for line in lines.all {
      #expect(line.filter { $0 == "\n" }.count == 1 && line.hasSuffix("\n"))
      #expect(!line.contains("\u{1B}"))
    }
  }
}
