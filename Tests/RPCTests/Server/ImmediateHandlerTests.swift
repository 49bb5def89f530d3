import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct ImmediateHandlerTests {
  @Test func itAnswersOrLeavesTheCallToTheOrdinaryHandler() async throws {
    try await withServer(register: {
      $0.immediate(EchoServiceMethods.echo) { (request, _, sink) throws(RPCError) in
        guard request.count < 10 else { return .needsTask }
        sink.write(upTo: 100) { buffer in
          // The field `text` with "now".
          buffer.copyBytes(from: [0x12, 3, 0x6E, 0x6F, 0x77])
          return 5
        }
        return .answered
      }
    }) { server in
      let client = EchoServiceClient(try server.client())
      #expect(try await client.echo(EchoMessage(text: "short")).text == "now")
      #expect(try await client.echo(EchoMessage(text: "long enough")).text == "long enough")
      #expect(server.server.metrics.immediateCalls == 1)
    }
  }

  @Test func itsErrorsReachTheCaller() async throws {
    try await withServer(register: {
      $0.immediate(EchoServiceMethods.echo) { (_, _, _) throws(RPCError) in
        throw RPCError(.notFound, "nobody")
      }
    }) { server in
      let error = await #expect(throws: RPCError.self) {
        _ = try await EchoServiceClient(try server.client()).echo(EchoMessage())
      }
      #expect(error?.code == .notFound)
      #expect(error?.message == "nobody")
    }
  }

  @Test func oneThatAnswersNothingIsAnInternalError() async throws {
    try await withServer(register: {
      $0.immediate(EchoServiceMethods.echo) { (_, _, _) throws(RPCError) in .answered }
    }) { server in
      let error = await #expect(throws: RPCError.self) {
        _ = try await EchoServiceClient(try server.client()).echo(EchoMessage())
      }
      #expect(error?.code == .internal)
      #expect(error?.message == RPCError.internalErrorText)
      #expect(server.hiddenErrors.current.first?.contains("without writing") == true)
    }
  }

  @Test func aResponseLargerThanTheClientTakesIsRefusedClearly() async throws {
    try await withServer(register: {
      $0.immediate(EchoServiceMethods.echo) { (_, _, sink) throws(RPCError) in
        sink.write(EchoMessage(payload: [UInt8](repeating: 1, count: 5 << 20)))
        return .answered
      }
    }) { server in
      let client = EchoServiceClient(try server.client())
      let error = await #expect(throws: RPCError.self) { _ = try await client.echo(EchoMessage()) }
      #expect(error?.code == .resourceExhausted)
      #expect(error?.message.contains("4194304") == true)
    }
  }
}
