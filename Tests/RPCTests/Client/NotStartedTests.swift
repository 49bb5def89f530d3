import ProtobufWire
import RPC
import RPCClient
import RPCCore
import RPCTransport
import Testing

/// Calls that a server certainly never started are sent again without a policy.
@Suite struct NotStartedTests {
  private static let method = MethodDescriptor(service: "t", method: "Call", shape: .unary)

  /// END UNAVAILABLE with NOT_STARTED.
  private static func refusal(_ stream: UInt32) -> [UInt8] {
    RawFrames.frame(5, stream: stream, flags: 16, payload: [2, 8, 14])
  }

  private func withPeer(
    attempts: Int = 5,
    _ makePeer: @escaping @Sendable (Channel) -> RawPeer,
    _ body: (RPCClient) async throws -> Void
  ) async throws {
    let group = try EventLoopGroup(loops: 1)
    let certificates = try await TestCertificates.shared.value
    let listener = try Listener.bind(
      to: .host("127.0.0.1", port: 0), tls: certificates.serverTLS(), group: group,
      makeHandler: makePeer)
    let client = try await makeClient(
      [.host("127.0.0.1", port: listener.localAddress.port)], group
    ) { $0.maximumAttempts = attempts }
    try await body(client)
    await client.close()
    await listener.stop()
    await group.shutdown()
  }

  /// Refuses the first calls, and answers the others.
  private static func refusing(_ count: Int) -> RawPeer {
    RawPeer(
      onActive: { channel in channel.withOutput { $0.append(RawFrames.setup) } },
      onReceived: { channel, state in
        let calls = state.frames.filter { $0.header.type == .call }
        guard let stream = calls.last?.header.stream.rawValue else { return }
        channel.withOutput {
          $0.append(
            calls.count <= count
              ? refusal(stream)
              : RawFrames.end(stream, message: EchoMessage(text: "taken").serialized()))
        }
      })
  }

  @Test func aRefusedCallIsSentAgainAsOftenAsItMay() async throws {
    try await withPeer(attempts: 3) { _ in
      Self.refusing(2)
    } _: { client in
      #expect(await outcome(client, Self.method).text == "taken")
      #expect(client.metrics.transparentRetries == 2)
      #expect(client.metrics.attempts == 3)
    }
    try await withPeer(attempts: 2) { _ in
      Self.refusing(2)
    } _: { client in
      let error = await outcome(client, Self.method).error
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == false)
    }
  }

  @Test func aCallThatWaitsForReadyIsSentAgainUntilItIsTaken() async throws {
    try await withPeer(attempts: 1) { _ in
      Self.refusing(3)
    } _: { client in
      let result = await outcome(
        client, Self.method, options: CallOptions(waitsForReady: true))
      #expect(result.text == "taken")
    }
  }

  /// Refuses the first calls, and answers the others with two messages.
  private static func refusingStreams(_ count: Int) -> RawPeer {
    let seen = Locked(0)
    return RawPeer(
      onActive: { channel in channel.withOutput { $0.append(RawFrames.setup) } },
      onReceived: { channel, state in
        let calls = state.frames.filter { $0.header.type == .call }
        let before = seen.withLock { seen in
          defer { seen = calls.count }
          return seen
        }
        guard calls.count > before, let stream = calls.last?.header.stream.rawValue else { return }
        guard calls.count > count else { return channel.withOutput { $0.append(refusal(stream)) } }
        channel.withOutput {
          for text in ["one", "two"] {
            let message = EchoMessage(text: text).serialized()
            $0.append(RawFrames.frame(4, stream: stream, flags: 8, payload: message))
          }
          $0.append(RawFrames.frame(5, stream: stream, payload: [0]))
        }
      })
  }

  @Test func aStreamThatWasRefusedIsOpenedAgain() async throws {
    let method = MethodDescriptor(service: "t", method: "Many", shape: .serverStreaming)
    try await withPeer(attempts: 3) { _ in
      Self.refusingStreams(2)
    } _: { client in
      let responses: ResponseStream<EchoMessage> = client.serverStreaming(method, EchoMessage())
      var texts: [String] = []
      for try await response in responses { texts.append(response.text) }
      #expect(texts == ["one", "two"])
      #expect(client.metrics.transparentRetries == 2)
    }
  }

  @Test func aStreamWhoseRequestsAreGoneIsNotOpenedAgain() async throws {
    let method = MethodDescriptor(service: "t", method: "Talk", shape: .bidirectional)
    // It refuses only once it has a request.
    try await withPeer { _ in
      RawPeer(
        onActive: { channel in channel.withOutput { $0.append(RawFrames.setup) } },
        onReceived: { channel, state in
          guard let last = state.frames.last, last.header.type == .message else { return }
          channel.withOutput { $0.append(Self.refusal(last.header.stream.rawValue)) }
        })
    } _: { client in
      let call: BidirectionalCall<EchoMessage, EchoMessage> = client.bidirectional(method)
      try await call.requests.send(EchoMessage(text: "gone"))
      let error = await #expect(throws: RPCError.self) {
        for try await _ in call.responses {}
      }
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == false)
      #expect(client.metrics.transparentRetries == 0)
    }
  }

  /// A server that stops reading, and then ends the connection with a reset. What hadn't been
  /// written by then goes out on the next connection; what had may have run.
  @Test func callsThatWereNeverWrittenAreSentAgain() async throws {
    let connections = Locked(0)
    let firstChannel = Locked<Channel?>(nil)
    let setup = RawFrames.frame(1, payload: [0x28, 0xE8, 0x07])  // 1000 calls at a time
    try await withPeer { channel in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { firstChannel.withLock { $0 = channel } }
      let answered = Locked(0)
      return RawPeer(
        onActive: { channel in channel.withOutput { $0.append(setup) } },
        onReceived: { channel, state in
          if isFirst { return channel.isReadingPaused = true }
          let calls = state.frames.filter { $0.header.type == .call }
          let before = answered.withLock { count in
            defer { count = calls.count }
            return count
          }
          for call in calls.dropFirst(before) {
            let message = EchoMessage(text: "second").serialized()
            channel.withOutput {
              $0.append(RawFrames.end(call.header.stream.rawValue, message: message))
            }
          }
        })
    } _: { client in
      // The SETUP has to have come, so that all calls are opened on the first connection.
      try await client.connect()
      var metadata = Metadata()
      try metadata.add("filler", String(repeating: "x", count: 15_000))
      let options = CallOptions(metadata: metadata)
      let results = await withTaskGroup(of: CallOutcome.self) { group in
        for _ in 0..<900 {
          group.addTask { await outcome(client, Self.method, options: options) }
        }
        // 13 MB are more than the kernel takes of a peer that doesn't read.
        await until { client.metrics.attempts == 900 }
        if let channel = firstChannel.current {
          channel.loop.post { channel.close(.abort) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let lost = results.filter { $0.error?.wasStarted == true }
      let repeated = results.filter { $0.text == "second" }
      #expect(lost.count + repeated.count == 900)
      #expect(!lost.isEmpty)
      #expect(!repeated.isEmpty)
      #expect(client.metrics.transparentRetries == repeated.count)
    }
  }

  @Test func duringTheBackoffCallsFailAtOnceUnlessTheyWait() async throws {
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient([.host("127.0.0.1", port: 1)], group) {
      $0.backoff = Backoff(initial: .seconds(3600), maximum: .seconds(3600))
    }
    for _ in 0..<3 {
      let error = await outcome(client, Self.method).error
      #expect(error?.code == .unavailable)
      #expect(error?.phase == .connecting)
      #expect(error?.wasStarted == false)
    }
    // The later ones failed for the first one's attempt.
    #expect(client.metrics.failedConnections == [.connecting: 1])
    let waiting = await outcome(
      client, Self.method, options: CallOptions(timeout: .milliseconds(20), waitsForReady: true))
    #expect(waiting.error?.code == .deadlineExceeded)
    #expect(waiting.error?.phase == .queued)
    await client.close()
    await group.shutdown()
  }
}
