import RPC
import RPCClient
import RPCServer
import Testing

/// Calls that ask are told how long the server worked on them.
@Suite struct ServiceTimeTests {
  private static func asking(_ timeout: Duration? = nil) throws -> CallOptions {
    var options = CallOptions(timeout: timeout)
    try options.metadata.add(ServiceTime.requestKey, "1")
    return options
  }

  private func time(_ metadata: Metadata) throws -> Int {
    let values = metadata.all(ServiceTime.trailerKey)
    #expect(values.count == 1)
    return try #require(metadata.first(ServiceTime.trailerKey).flatMap { Int($0) })
  }

  @Test func anAnswerBringsTheTimeToThoseThatAskOnly() async throws {
    try await withServer { server in
      let client = try server.client()
      let asked: ClientResponse<EchoMessage> = try await client.unaryResponse(
        EchoServiceMethods.echo, EchoMessage(text: "x"), options: try Self.asking())
      #expect(try time(asked.trailingMetadata) >= 0)
      var other = CallOptions()
      try other.metadata.add("onside-want-service-tim", "1")
      for options in [CallOptions(), other] {
        let plain: ClientResponse<EchoMessage> = try await client.unaryResponse(
          EchoServiceMethods.echo, EchoMessage(text: "x"), options: options)
        #expect(plain.trailingMetadata.isEmpty)
      }
    }
  }

  /// Between its CALL and its END: a handler that waits for a second is told as a second.
  @Test func theTimeIsThatOfTheHandlerBesideItsOwnMetadata() async throws {
    try await withServer { server in
      let client = try server.client()
      var options = try Self.asking()
      try options.metadata.add("echo-a", "b")
      let asking = options
      let begun = MonotonicInstant.now
      async let answer: ClientResponse<EchoMessage> = client.unaryResponse(
        EchoServiceMethods.wait, WaitRequest(gate: "g"), options: asking)
      await server.handlers.gates.hasEntered("g")
      let entered = MonotonicInstant.now
      try await Task.sleep(for: .milliseconds(20))
      server.handlers.gates.open("g")
      let microseconds = try time(try await answer.trailingMetadata)
      #expect(microseconds >= 20_000)
      let whole = (MonotonicInstant.now.nanoseconds - begun.nanoseconds) / 1_000
      #expect(microseconds <= whole)
      #expect(entered.nanoseconds >= begun.nanoseconds)
      let echoed: ClientResponse<EchoMessage> = try await client.unaryResponse(
        EchoServiceMethods.echo, EchoMessage(), options: asking)
      #expect(echoed.trailingMetadata.first("trailing-echo-a") == "b")
      _ = try time(echoed.trailingMetadata)
    }
  }

  @Test func anImmediateAnswerBringsItToo() async throws {
    try await withServer(register: { registry in
      registry.immediate(EchoServiceMethods.secret) { _, _, sink throws(RPCError) in
        sink.write(EchoMessage(text: "at once"))
        return .answered
      }
    }) { server in
      let client = try server.client()
      for _ in 0..<3 {
        let answer: ClientResponse<EchoMessage> = try await client.unaryResponse(
          EchoServiceMethods.secret, EchoMessage(), options: try Self.asking())
        #expect(answer.message.text == "at once")
        _ = try time(answer.trailingMetadata)
      }
    }
  }

  @Test func anOffloadedHandlerKeepsItsMetadataAndGetsTheTime() async throws {
    try await withServer(register: {
      $0.ask { request, context in
        try context.trailingMetadata.add("who", "me")
        return request
      }
      $0.offload(TestMethods.ask)
    }) { server in
      let answer: ClientResponse<EchoMessage> = try await server.client().unaryResponse(
        TestMethods.ask, EchoMessage(text: "x"), options: try Self.asking())
      #expect(answer.trailingMetadata.first("who") == "me")
      _ = try time(answer.trailingMetadata)
    }
  }
}
