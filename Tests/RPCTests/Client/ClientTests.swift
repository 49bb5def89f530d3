import RPC
import RPCClient
import RPCCore
import RPCServer
import RPCTransport
import Testing

@Suite struct ClientTests {
  @Test func whenTheStreamIdsAreUsedUpItConnectsAgain() async throws {
    try await withServer(loops: 1) { server in
      let client = EchoServiceClient(
        try server.client { $0.connection.firstStream = StreamID(0x7FFF_FFFB) })
      for number in 0..<10 {
        #expect(try await client.echo(EchoMessage(text: "\(number)")).text == "\(number)")
      }
      // Three ids are left on each connection.
      #expect(server.server.metrics.acceptedConnections == 4)
    }
  }

  @Test func anEndedConnectionIsMadeAgain() async throws {
    // The server breaks off the first connection when the second call comes.
    let method = MethodDescriptor(service: "t", method: "Once", shape: .unary)
    let group = try EventLoopGroup(loops: 1)
    let certificates = try await TestCertificates.shared.value
    let peers = Locked(0)
    let answer = RawFrames.end(1, message: [])
    let listener = try Listener.bind(
      to: .host("127.0.0.1", port: 0), tls: certificates.serverTLS(), group: group
    ) { _ in
      peers.withLock { $0 += 1 }
      return RawPeer(onReceived: { channel, state in
        let count = state.frames.count { $0.header.type == .call }
        if count == 1 { channel.withOutput { $0.append(RawFrames.setup + answer) } }
        if count == 2 { channel.close(.abort) }
      })
    }
    let client = RPCClient(
      to: .host("127.0.0.1", port: listener.localAddress.port),
      tls: try certificates.clientTLS(), group: group)
    let _: EchoMessage = try await client.unary(method, EchoMessage())
    let error = await #expect(throws: RPCError.self) {
      let _: EchoMessage = try await client.unary(method, EchoMessage())
    }
    // It may have run: no blind repetition.
    #expect(error?.code == .unavailable)
    #expect(error?.wasStarted == true)
    let _: EchoMessage = try await client.unary(method, EchoMessage())
    #expect(peers.current == 2)
    await client.close()
    await listener.stop()
    await group.shutdown()
  }

  @Test func tlsSessionsAreResumed() async throws {
    try await withServer(loops: 1) { server in
      let tls = try server.certificates.clientTLS()
      var resumed: [Bool] = []
      for _ in 0..<3 {
        let connection = try await RPCConnection.open(
          to: server.endpoint, tls: tls, on: server.group.first)
        // The ticket comes after the handshake, with the first answer at the latest.
        _ = try await EchoServiceClient(connection).echo(EchoMessage())
        resumed.append(connection.info.isResumed)
        await withCheckedContinuation { done in connection.close { done.resume() } }
      }
      #expect(resumed == [false, true, true])
    }
  }

  @Test func closingLetsCallsEndAndTakesNoMore() async throws {
    try await withServer { server in
      let client = try server.client()
      let stub = EchoServiceClient(client)
      let call = Task { try await stub.wait(WaitRequest(gate: "close")).text }
      await server.handlers.gates.hasEntered("close")
      async let closed: Void = client.close()
      // Nothing tells when the closing has begun, but that calls are refused.
      var error: RPCError?
      while error == nil { error = await outcome(client, EchoServiceMethods.echo).error }
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == false)
      server.handlers.gates.open("close")
      #expect(try await call.value == "let go")
      await closed
      await until { server.server.metrics.openConnections == 0 }
    }
  }
}
