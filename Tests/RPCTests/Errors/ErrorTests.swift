import RPC
import RPCClient
import RPCCore
import RPCServer
import Testing

/// Errors of handlers, in every shape of call, over sockets and in process.
@Suite struct ErrorTests {
  /// What a call of each shape ends with when its handler throws.
  private func outcomes(
    _ transport: Transport, throwing error: any Error
  ) async throws -> [RPCError?] {
    try await transport.run(register: {
      $0.ask { _, _ in throw error }
      $0.serve { _, _, _ in throw error }
      $0.gather { _, _ in throw error }
      $0.talk { _, _, _ in throw error }
    }) { (invoker, _) async throws in
      var errors: [RPCError?] = []
      errors.append(await #expect(throws: RPCError.self) { _ = try await invoker.ask() })
      errors.append(await invoker.serve().collect().error)
      let call = invoker.gather()
      errors.append(await #expect(throws: RPCError.self) { _ = try await call.response() })
      errors.append(await invoker.talk().responses.collect().error)
      return errors
    }
  }

  @Test(arguments: Transport.allCases)
  func detailsComeInTheirOrder(transport: Transport) async throws {
    let details = [
      StatusDetail(
        typeURL: "type.googleapis.com/test.echo.v1.EchoMessage", value: [0x12, 1, 0x61]),
      StatusDetail(typeURL: "x/empty", value: []),
      ErrorInfo(reason: "WHY", domain: "test").detail,
    ]
    let thrown = RPCError(.outOfRange, "100 %\n\u{0}\u{1F9C0}", details: details)
    for error in try await outcomes(transport, throwing: thrown) {
      #expect(error?.code == .outOfRange)
      #expect(error?.message == thrown.message)
      #expect(error?.details == details)
      #expect(error?.info?.reason == "WHY")
      #expect(error?.phase == .answered)
      #expect(error?.wasStarted == true)
    }
  }

  @Test(arguments: Transport.allCases)
  func aLongTextIsCutAtAScalar(transport: Transport) async throws {
    let text = "a" + String(repeating: "é", count: 5000)
    for error in try await outcomes(transport, throwing: RPCError(.notFound, text)) {
      // One letter, and as many of two bytes as fit in 8,192.
      #expect(error?.message.utf8.count == 8191)
      #expect(text.hasPrefix(error?.message ?? "-"))
    }
  }

  @Test(arguments: Transport.allCases)
  func strangersAreUnknownAndSayNothing(transport: Transport) async throws {
    for error in try await outcomes(transport, throwing: SecretError(text: "password")) {
      #expect(error?.code == .unknown)
      #expect(error?.message == RPCError.internalErrorText)
      #expect(error.map { "\($0)".contains("password") } == false)
    }
  }

  @Test(arguments: Transport.allCases)
  func anErrorThatSaysOKIsNone(transport: Transport) async throws {
    for error in try await outcomes(transport, throwing: RPCError(.ok, "fine")) {
      #expect(error?.code == .unknown)
    }
  }

  @Test(arguments: Transport.allCases)
  func aCancelledHandlerSaysSo(transport: Transport) async throws {
    for error in try await outcomes(transport, throwing: CancellationError()) {
      #expect(error?.code == .cancelled)
      #expect(error?.phase == .answered)
    }
  }

  @Test(arguments: Transport.allCases, StatusCode.defined.dropFirst())
  func everyCodeComesBack(transport: Transport, code: StatusCode) async throws {
    for error in try await outcomes(transport, throwing: RPCError(code, "as told")) {
      #expect(error?.code == code)
    }
  }

  @Test(arguments: Transport.allCases)
  func whatTheLibraryItselfSays(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let missing = MethodDescriptor(service: "no", method: "Where", shape: .bidirectional)
      let call: BidirectionalCall<EchoMessage, EchoMessage> = invoker.bidirectional(missing)
      #expect(await call.responses.collect().error?.code == .unimplemented)
      // Not a message of the method's type: its first field is a string.
      let error = await #expect(throws: RPCError.self) {
        let _: EchoMessage = try await invoker.unary(
          EchoServiceMethods.wait, EchoMessage(payload: [0xFF, 0xFE]))
      }
      #expect(error?.code == .internal)
    }
  }
}
