import Foundation
import ProtobufWire
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// Calls that are opened to be given up: what they may cost is bounded by slots and budgets.
@Suite struct ResetFloodTests {
  private static let stubborn = MethodDescriptor(service: "t", method: "Stubborn", shape: .unary)

  /// A handler that doesn't care about cancellation, so that only its own end frees its slot.
  private func register(_ gates: Gates) -> (inout MethodRegistry) -> Void {
    return { registry in
      registry.unary(Self.stubborn) { (request: EchoMessage, _) in
        await gates.hold("stubborn")
        return request
      }
      registry.authorize(Self.stubborn, .anyone)
    }
  }

  private func pairs(_ streams: some Sequence<Int>, _ method: String) -> [UInt8] {
    streams.reduce(into: []) { bytes, index in
      let stream = UInt32(2 * index + 1)
      bytes += RawFrames.call(stream, method) + RawFrames.frame(6, stream: stream)
    }
  }

  /// Row 1: 20,000 pairs of open and cancel run no more handlers than there are slots, and an
  /// honest client isn't kept waiting by them. `HOSTILE_PAIRS` in the environment makes it more.
  @Test func aSlotIsHeldUntilItsHandlerEndsHoweverFastCallsAreCancelled() async throws {
    let gates = Gates()
    let wanted = ProcessInfo.processInfo.environment["HOSTILE_PAIRS"].flatMap { Int($0) }
    let count = max(1, (wanted ?? 20_000) / 2_000) * 2_000
    try await withServer(
      configure: {
        $0.connection.maximumConcurrentCalls = 4
        $0.connection.abuse.cancels = Int(Int32.max)
        $0.connection.abuse.refusedCalls = Int(Int32.max)
      }, register: register(gates)
    ) { server in
      let honest = EchoServiceClient(try server.client())
      let peer = try await RawPeer.connect(server, keepsBytes: false)
      for start in stride(from: 0, to: count, by: 2_000) {
        await peer.send(pairs(start..<start + 2_000, "t/Stubborn"))
        #expect(server.server.metrics.runningHandlers <= 4)
        #expect(try await honest.echo(EchoMessage(text: "well")).text == "well")
      }
      await until {
        server.server.metrics.notStartedCalls == count - 4 || !server.violations.current.isEmpty
      }
      #expect(server.server.metrics.runningHandlers == 4)
      #expect(server.server.metrics.cancelledCalls == 4)
      #expect(server.violations.current.isEmpty)
      gates.open("stubborn")
      await until { server.server.metrics.runningHandlers == 0 }
      await peer.close()
    }
  }

  /// Row 1: a read may bring a hundred calls. The loop's other work has its turn between them.
  @Test func oneConnectionsCallsLeaveOthersTheirTurn() async throws {
    let order = Locked<[String]>([])
    let loop = Locked<EventLoop?>(nil)
    let count = 90
    let register: (inout MethodRegistry) -> Void = { registry in
      registry.unary(Self.stubborn) { (request: EchoMessage, _) in
        let isFirst = order.withLock { order in
          order.append("call")
          return order.count == 1
        }
        if isFirst { loop.current?.post { order.withLock { $0.append("other") } } }
        return request
      }
      registry.authorize(Self.stubborn, .anyone)
    }
    try await withServer(loops: 1, register: register) { server in
      loop.withLock { $0 = server.group.first }
      let peer = try await RawPeer.connect(server)
      let streams = (0..<count).map { UInt32(2 * $0 + 1) }
      await peer.send(streams.flatMap { RawFrames.call($0, "t/Stubborn") })
      for stream in streams { #expect(await peer.answer(stream).end(of: stream) != nil) }
      let turn = try #require(order.current.firstIndex(of: "other"))
      #expect(turn < count / 2, "behind \(turn) calls")
      #expect(order.current.count == count + 1)
      await peer.close()
    }
  }

  /// Row 1: a peer that goes on cancelling calls that run is closed.
  @Test func cancelsBeyondTheBudgetEndTheConnection() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      var next = 0
      while !peer.hasEnded, next < 1_000 {
        await peer.send(pairs(next..<next + 50, "test.echo.v1.EchoService/Wait"))
        next += 50
        // All are taken: none is refused for want of a slot, which would cost nothing.
        let opened = next
        await until {
          let metrics = server.server.metrics
          return metrics.runningHandlers == 0
            && (metrics.cancelledCalls >= opened || metrics.openConnections == 0)
        }
      }
      let state = await peer.ended()
      #expect(state.closeCode == 4)
      #expect(server.violations.current == ["cancelBudget"])
      #expect(server.server.metrics.cancelledCalls == 200)
    }
  }

  /// Row 2: calls that make the server end them with an error, each harmless.
  @Test func callsThatProvokeErrorsEndTheConnectionBeyondTheBudget() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      let padding =
        [0x7A] + RawFrames.varint(17_000) + [UInt8](repeating: 0, count: 17_000)
      for index in 0..<201 as Range<UInt32> {
        await peer.send(RawFrames.call(2 * index + 1, "t/Any", fields: padding))
      }
      let state = await peer.ended()
      #expect(state.closeCode == 4)
      #expect(server.violations.current == ["streamErrorBudget"])
      #expect(server.server.metrics.calls[.resourceExhausted] == 200)
    }
  }

  /// Row 2: more than the credit, in a loop of connections: each costs the peer a handshake.
  @Test func dataWithoutCreditEndsTheConnection() async throws {
    try await withServer(configure: { $0.connection.maximumFramePayload = 1 << 20 }) { server in
      let message = [UInt8](repeating: 0, count: 70_000)
      for _ in 0..<3 {
        let peer = try await RawPeer.connect(server)
        await peer.send(RawFrames.call(1, "test.echo.v1.EchoService/Echo", message: message))
        #expect(await peer.ended().closeCode == 3)
      }
      #expect(server.violations.current == ["credit", "credit", "credit"])
    }
  }

  /// Calls above the slots are cheap and expected; beyond a budget of their own they aren't.
  @Test func refusedCallsBeyondTheBudgetEndTheConnection() async throws {
    let gates = Gates()
    try await withServer(
      configure: {
        $0.connection.maximumConcurrentCalls = 1
        $0.connection.abuse.refusedCalls = 500
      }, register: register(gates)
    ) { server in
      let peer = try await RawPeer.connect(server)
      let calls = (0..<600).flatMap { RawFrames.call(UInt32(2 * $0 + 1), "t/Stubborn") }
      await peer.send(calls)
      #expect(await peer.ended().closeCode == 4)
      #expect(server.violations.current == ["refusedCallBudget"])
      #expect(server.server.metrics.notStartedCalls == 500)
      gates.open("stubborn")
      await until { server.server.metrics.runningHandlers == 0 }
    }
  }
}
