import RPC
import RPCClient
import RPCServer
import Testing

/// Much at once: messages larger than the window, and both directions at full speed.
@Suite(.serialized) struct LargeStreamTests {
  @Test(arguments: Transport.allCases)
  func messagesLargerThanTheWindowPassBothWays(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let call = EchoServiceClient(invoker).chat()
      let writer = Task {
        for number in 0..<4 {
          try await call.requests.send(
            EchoMessage(payload: [UInt8](repeating: UInt8(number), count: 3_000_000)))
        }
        call.requests.finish()
      }
      let (responses, error) = await call.responses.collect()
      #expect(error == nil)
      #expect(responses.map(\.payload.count) == [Int](repeating: 3_000_000, count: 4))
      #expect(responses.map { $0.payload[2_999_999] } == [0, 1, 2, 3])
      try await writer.value
    }
  }

  /// 64 MiB in each direction at the same time, neither waiting for the other.
  @Test(arguments: Transport.allCases)
  func fullDuplex(transport: Transport) async throws {
    let message = EchoMessage(payload: [UInt8](repeating: 3, count: 256 << 10))
    let count = (64 << 20) / message.payload.count
    let received = Locked(0)
    try await transport.run(register: {
      $0.talk { requests, responses, _ in
        async let sent: Void = {
          for _ in 0..<count { try await responses.send(message) }
        }()
        for try await request in requests { received.withLock { $0 += request.payload.count } }
        try await sent
      }
    }) { (invoker, _) async throws in
      let call = invoker.talk()
      let writer = Task {
        for _ in 0..<count { try await call.requests.send(message) }
        call.requests.finish()
      }
      var bytes = 0
      for try await response in call.responses { bytes += response.payload.count }
      try await writer.value
      #expect(bytes == 64 << 20)
      #expect(received.current == 64 << 20)
    }
  }

  @Test(arguments: Transport.allCases)
  func manyStreamsAtOnce(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<50 {
          group.addTask {
            let request = RepeatRequest(count: 20, size: 20_000)
            var count = 0
            for try await response in EchoServiceClient(invoker).repeat(request) {
              count += response.payload.count
            }
            return count
          }
        }
        for try await count in group { #expect(count == 400_000) }
      }
    }
  }
}
