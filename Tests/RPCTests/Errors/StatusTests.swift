import RPC
import RPCClient
import Testing

@Suite struct StatusTests {
  @Test(arguments: [
    "plain", "100 %", "two\nlines", "NUL \u{0} inside", "emoji \u{1F9C0} and ünïcode", "%0A%", "",
  ])
  func textsComeBackAsTheyWere(text: String) async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.fail(FailRequest(code: 9, message: text))
      }
      #expect(error?.code == .failedPrecondition)
      #expect(error?.message == text)
      #expect(error?.phase == .answered)
      #expect(
        error?.info == ErrorInfo(reason: "AS_TOLD", domain: "test", values: ["code": "9"]))
    }
  }

  @Test func aLongTextIsCutAtAScalar() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let text = "abc" + String(repeating: "\u{1F9C0}", count: 4000)
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.fail(FailRequest(code: 3, message: text))
      }
      let message = try #require(error?.message)
      #expect(text.hasPrefix(message))
      // Three letters and as many cheeses of four bytes as fit in 8,192.
      #expect(message.utf8.count == 8191)
    }
  }

  @Test(arguments: 1...16)
  func everyCodeComesBack(code: UInt32) async throws {
    try await withServer(loops: 1) { server in
      let client = EchoServiceClient(try server.client())
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.fail(FailRequest(code: code, message: "m"))
      }
      #expect(error?.code.rawValue == code)
    }
  }

  @Test func whatAnUnknownErrorSaysStaysInTheServer() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.fail(FailRequest(code: 0, message: "the password is 12345"))
      }
      #expect(error?.code == .unknown)
      #expect(error?.message == "internal error")
      #expect(error?.details == [])
      #expect(error.map { "\($0)".contains("12345") } == false)
      #expect(server.hiddenErrors.current.count == 1)
      #expect(server.hiddenErrors.current.first?.contains("12345") == true)
    }
  }
}
