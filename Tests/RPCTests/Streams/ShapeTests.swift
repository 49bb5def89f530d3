import RPC
import RPCClient
import RPCServer
import Testing

/// Every shape of call, over sockets and in process: with messages, without, and with an error.
@Suite struct ShapeTests {
  @Test(arguments: Transport.allCases)
  func manyResponsesComeInOrder(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let stream = EchoServiceClient(invoker).repeat(RepeatRequest(count: 500, size: 100))
      let (responses, error) = await stream.collect()
      #expect(error == nil)
      #expect(responses.map(\.text) == (0..<500).map { "\($0)" })
      #expect(responses.allSatisfy { $0.payload.count == 100 })
    }
  }

  @Test(arguments: Transport.allCases)
  func noResponseIsAnEmptyStream(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let (responses, error) = await EchoServiceClient(invoker).repeat(RepeatRequest()).collect()
      #expect(error == nil)
      #expect(responses.isEmpty)
    }
  }

  @Test(arguments: Transport.allCases)
  func anErrorComesBehindTheResponsesBeforeIt(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let request = RepeatRequest(count: 3, size: 50_000, code: 8)
      let stream = EchoServiceClient(invoker).repeat(request)
      let (responses, error) = await stream.collect()
      #expect(responses.map(\.text) == ["0", "1", "2"])
      #expect(error?.code == .resourceExhausted)
      #expect(error?.info?.reason == "AS_TOLD")
      #expect(error?.phase == .answered)
    }
  }

  @Test(arguments: Transport.allCases)
  func manyRequestsGetOneResponse(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let call = EchoServiceClient(invoker).gather()
      for number in 0..<200 { try await call.requests.send(EchoMessage(text: "\(number),")) }
      call.requests.finish()
      let expected = (0..<200).map { "\($0)," }.joined()
      #expect(try await call.response().text == expected)
    }
  }

  @Test(arguments: Transport.allCases)
  func noRequestGetsAResponse(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let call = EchoServiceClient(invoker).gather()
      call.requests.finish()
      #expect(try await call.response() == EchoMessage())
    }
  }

  @Test(arguments: Transport.allCases)
  func aHandlerMayRefuseAfterSomeRequests(transport: Transport) async throws {
    try await transport.run(register: {
      $0.gather { requests, _ in
        var iterator = requests.makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        throw RPCError(.failedPrecondition, "two are enough")
      }
    }) { (invoker, _) async throws in
      let call = invoker.gather()
      var sent = 0
      let failure = await #expect(throws: RPCError.self) {
        while true {
          try await call.requests.send(EchoMessage(payload: [UInt8](repeating: 1, count: 10_000)))
          sent += 1
        }
      }
      #expect(failure?.code == .failedPrecondition)
      // The second may have been on its way when the call ended.
      #expect(sent >= 1)
      let error = await #expect(throws: RPCError.self) { _ = try await call.response() }
      #expect(error?.code == .failedPrecondition)
      #expect(error?.message == "two are enough")
    }
  }

  @Test(arguments: Transport.allCases)
  func bothDirectionsAlternate(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let call = EchoServiceClient(invoker).chat()
      var responses = call.responses.makeAsyncIterator()
      for number in 0..<100 {
        try await call.requests.send(EchoMessage(text: "\(number)"))
        #expect(try await responses.next()?.text == "\(number)")
      }
      call.requests.finish()
      #expect(try await responses.next() == nil)
      // The end stays the end.
      #expect(try await responses.next() == nil)
    }
  }

  @Test(arguments: Transport.allCases)
  func bothDirectionsMayBeEmpty(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let call = EchoServiceClient(invoker).chat()
      call.requests.finish()
      let (responses, error) = await call.responses.collect()
      #expect(error == nil)
      #expect(responses.isEmpty)
    }
  }

  @Test(arguments: Transport.allCases)
  func metadataGoesBothWays(transport: Transport) async throws {
    try await transport.run(register: {
      $0.talk { requests, responses, context in
        try context.initialMetadata.add("first", context.metadata.first("mine") ?? "none")
        try await responses.sendInitialMetadata()
        for try await request in requests { try await responses.send(request) }
        try context.trailingMetadata.add("last", "done")
      }
    }) { (invoker, _) async throws in
      var options = CallOptions()
      try options.metadata.add("mine", "yes")
      let call = invoker.talk(options: options)
      // Before any message: the call waits for nothing but the metadata.
      #expect(await call.responses.initialMetadata.first("first") == "yes")
      try await call.requests.send(EchoMessage(text: "x"))
      call.requests.finish()
      let (responses, error) = await call.responses.collect()
      #expect(error == nil)
      #expect(responses.map(\.text) == ["x"])
      #expect(call.responses.trailingMetadata.first("last") == "done")
    }
  }

  @Test(arguments: Transport.allCases)
  func errorsOfStrangersAreHidden(transport: Transport) async throws {
    try await transport.run(register: {
      $0.serve { _, responses, _ in
        try await responses.send(EchoMessage(text: "one"))
        throw SecretError(text: "password")
      }
    }) { (invoker, _) async throws in
      let (responses, error) = await invoker.serve().collect()
      #expect(responses.count == 1)
      #expect(error?.message == RPCError.internalErrorText)
    }
  }

  @Test(arguments: Transport.allCases)
  func aMessageAfterTheLastIsAnError(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let call = EchoServiceClient(invoker).gather()
      try await call.requests.send(EchoMessage(text: "a"))
      call.requests.finish()
      await #expect(throws: RPCError.self) {
        try await call.requests.send(EchoMessage(text: "b"))
      }
      #expect(try await call.response().text == "a")
    }
  }

  @Test(arguments: Transport.allCases)
  func interceptorsAndRulesHoldForStreams(transport: Transport) async throws {
    let notes = Locked<[String]>([])
    let rule = AuthorizationRule("members") { context throws(RPCError) in
      guard context.metadata.first("member") != nil else {
        throw RPCError(.permissionDenied, "members only")
      }
      return "member"
    }
    try await transport.run(
      clientInterceptors: [Noting(name: "client", notes: notes)],
      configure: { $0.interceptors = [Noting(name: "server", notes: notes)] },
      register: {
        $0.talk { _, responses, context in
          try await responses.send(EchoMessage(text: context.principal as? String ?? ""))
        }
        $0.authorize(TestMethods.talk, rule)
      }
    ) { (invoker, _) async throws in
      let refused = await invoker.talk().responses.collect()
      #expect(refused.responses.isEmpty)
      #expect(refused.error?.code == .permissionDenied)
      var options = CallOptions()
      try options.metadata.add("member", "1")
      let (responses, error) = await invoker.talk(options: options).responses.collect()
      #expect(responses.map(\.text) == ["member"])
      #expect(error == nil)
      await until { notes.current.count == 6 }
      #expect(notes.current.contains("client out PERMISSION_DENIED"))
      #expect(notes.current.filter { $0 == "server in Talk" }.count == 1)
      #expect(notes.current.contains("client out OK"))
    }
  }

  @Test(arguments: Transport.allCases)
  func aRefusingInterceptorEndsTheStream(transport: Transport) async throws {
    try await transport.run(configure: { $0.interceptors = [Refusing()] }) {
      (invoker, _) async throws in
      let call = EchoServiceClient(invoker).gather()
      let error = await #expect(throws: RPCError.self) { _ = try await call.response() }
      #expect(error?.message == "no streams")
    }
    try await transport.run(clientInterceptors: [Refusing()]) { (invoker, _) async throws in
      let stream = EchoServiceClient(invoker).repeat(RepeatRequest(count: 1))
      #expect(await stream.collect().error?.message == "no streams from here")
    }
  }
}
