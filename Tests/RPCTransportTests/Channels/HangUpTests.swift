import CLinux
import Dispatch
import RPCCore
import Testing

@testable import RPCTransport

/// Echoes, and notes how many other channels had ended when it received something.
private final class WitnessHandler: ChannelHandler {
  private let ends: EndLog
  private let witnessed: EventLog<Int>

  init(_ ends: EndLog, _ witnessed: EventLog<Int>) {
    self.ends = ends
    self.witnessed = witnessed
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    witnessed.add(ends.all.count)
    channel.withOutput { $0.append(bytes) }
    return bytes.count
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    ends.add(reason)
  }
}

@Suite("Many peers that hang up at once")
struct HangUpTests {
  enum Way: CaseIterable {
    /// As the kernel does for a process that was killed: FIN, and no close_notify.
    case endOfInput

    case reset
  }

  /// More than one wait of epoll reports, all of them before the connection that is in use.
  @Test(arguments: Way.allCases)
  func connectionsInUseGoFirst(_ way: Way) async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    let witnessed = EventLog<Int>()
    let count = Int(Poller.eventsPerWait) + 44
    try await TestServer.with(
      certificates.server, loops: 1, handler: { WitnessHandler($1, witnessed) }
    ) { server in
      let live = try await TestConnection.open(server.endpoint, tls, clients)
      #expect(await live.echo([1]) == [1])
      var others: [TestConnection] = []
      for _ in 0..<count {
        let other = try await TestConnection.open(server.endpoint, tls, clients)
        #expect(await other.echo([2]) == [2])
        others.append(other)
      }

      let loop = server.group.first
      let release = DispatchSemaphore(value: 0)
      let held = EventLog<Void>()
      loop.post {
        held.add(())
        release.wait()
      }
      _ = await held.wait(for: 1)
      for other in others { await hangUp(other, way) }
      await live.send([3])
      // The client's loop has written by now.
      await clients.first.run {}
      await clients.first.run {}
      release.signal()

      let seen = await witnessed.wait(for: count + 2)
      #expect(seen[count + 1] <= 2 * EventLoop.hangUpsPerPass)
      #expect(await live.receive(1) == [3])
      let ends = await server.ends.wait(for: count)
      #expect(ends.allSatisfy { $0.code == (way == .reset ? .reset : .truncated) })
      // Nobody waits any more, and the loop sleeps.
      #expect(await live.echo([4]) == [4])
      #expect(await loop.run { loop.hangUps.count } == 0)
      #expect(loop.connectionCount == 1)
    }
    await clients.shutdown()
  }

  private func hangUp(_ connection: TestConnection, _ way: Way) async {
    switch way {
    case .reset: _ = await connection.close(.abort)
    case .endOfInput:
      await connection.loop.run {
        if let channel = connection.channel { _ = shutdown(channel.descriptor, Int32(SHUT_WR)) }
      }
    }
  }
}
