import RPC
import Testing

@Suite struct InProcessTransportTests {
  private func transport(
    _ handlers: EchoHandlers,
    _ configure: (inout InProcessTransport.Configuration) -> Void = { _ in }
  ) throws -> InProcessTransport {
    var configuration = InProcessTransport.Configuration()
    configure(&configuration)
    return try InProcessTransport(EchoServer.registry(handlers), configuration: configuration)
  }

  @Test func callsAndMetadataGoBothWays() async throws {
    let transport = try transport(EchoHandlers())
    var options = CallOptions()
    try options.metadata.add("echo-a", "b")
    let response: ClientResponse<EchoMessage> = try await transport.unaryResponse(
      EchoServiceMethods.echo, EchoMessage(payload: [1, 2], text: "t"), options: options)
    #expect(response.message == EchoMessage(payload: [1, 2], text: "t"))
    #expect(response.initialMetadata.first("initial-echo-a") == "b")
    #expect(response.trailingMetadata.first("trailing-echo-a") == "b")
  }

  @Test func errorsAreWhatTheyAreOverAConnection() async throws {
    let hidden = Locked<[String]>([])
    let transport = try transport(EchoHandlers()) {
      $0.onHiddenError = { _, error in hidden.withLock { $0.append("\(error)") } }
    }
    let client = EchoServiceClient(transport)
    let told = await #expect(throws: RPCError.self) {
      _ = try await client.fail(FailRequest(code: 5, message: "none"))
    }
    #expect(told?.code == .notFound)
    #expect(told?.info?.reason == "AS_TOLD")
    #expect(told?.phase == .answered)
    let internalError = await #expect(throws: RPCError.self) {
      _ = try await client.fail(FailRequest(code: 0, message: "secret"))
    }
    #expect(internalError?.code == .unknown)
    #expect(internalError?.message == RPCError.internalErrorText)
    #expect(hidden.current.count == 1)
    let unknown = await #expect(throws: RPCError.self) {
      let _: EchoMessage = try await transport.unary(
        MethodDescriptor(service: "s", method: "M", shape: .unary), EchoMessage())
    }
    #expect(unknown?.code == .unimplemented)
  }

  @Test func theDeadlineAnswersAndCancels() async throws {
    let handlers = EchoHandlers()
    let transport = try transport(handlers) { $0.defaultTimeout = .milliseconds(20) }
    let error = await #expect(throws: RPCError.self) {
      _ = try await EchoServiceClient(transport).wait(WaitRequest(gate: "never"))
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(await handlers.gates.cancellations() == [.deadlineExceeded])
    let expired = await #expect(throws: RPCError.self) {
      _ = try await EchoServiceClient(transport).echo(
        EchoMessage(), options: CallOptions(timeout: .zero))
    }
    #expect(expired?.code == .deadlineExceeded)
    #expect(expired?.wasStarted == false)
  }

  @Test func cancellingTheTaskCancelsTheHandler() async throws {
    let handlers = EchoHandlers()
    let transport = try transport(handlers)
    let call = Task {
      try await EchoServiceClient(transport).wait(WaitRequest(gate: "never"))
    }
    await handlers.gates.hasEntered("never")
    call.cancel()
    let error = await #expect(throws: RPCError.self) { _ = try await call.value }
    #expect(error?.code == .cancelled)
    #expect(await handlers.gates.cancellations() == [.byCaller])
  }

  @Test func messagesAboveTheLimitAreRefused() async throws {
    let transport = try transport(EchoHandlers()) { $0.messageLimit = 100 }
    let error = await #expect(throws: RPCError.self) {
      _ = try await EchoServiceClient(transport).echo(
        EchoMessage(payload: [UInt8](repeating: 0, count: 101)))
    }
    #expect(error?.code == .resourceExhausted)
  }
}
