import RPC
import RPCClient
import Testing

@Suite struct MetadataTests {
  @Test func asciiAndAllBinaryBytesComeBackBothWays() async throws {
    try await withServer { server in
      let client = try server.client()
      var sent = Metadata()
      let bytes = (0...255).map { UInt8($0) }
      try sent.add("echo-text", "a = b; 100 %")
      try sent.add("echo-bytes", binary: bytes)
      try sent.add("echo-text", "again")
      let answer: ClientResponse<EchoMessage> = try await client.unaryResponse(
        EchoServiceMethods.echo, EchoMessage(text: "x"), options: CallOptions(metadata: sent))
      #expect(answer.message.text == "x")
      #expect(
        answer.initialMetadata.all("initial-echo-text")
          == [.ascii("a = b; 100 %"), .ascii("again")])
      #expect(answer.initialMetadata.firstBinary("initial-echo-bytes") == bytes)
      #expect(
        answer.trailingMetadata.all("trailing-echo-text")
          == [.ascii("a = b; 100 %"), .ascii("again")])
      #expect(answer.trailingMetadata.firstBinary("trailing-echo-bytes") == bytes)
    }
  }

  @Test func metadataAboveSixteenKibibytesIsRefusedBeforeItIsSent() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      var metadata = Metadata()
      try metadata.add("large", binary: [UInt8](repeating: 7, count: 17 * 1024))
      let options = CallOptions(metadata: metadata)
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.echo(EchoMessage(), options: options)
      }
      #expect(error?.code == .resourceExhausted)
      #expect(error?.wasStarted == false)
    }
  }

  @Test func valuesAreReadInPlaceByRulesAndImmediateHandlers() async throws {
    let seen = Locked<[String]>([])
    try await withServer(register: { registry in
      registry.immediate(EchoServiceMethods.secret) {
        (request, context, sink) throws(RPCError) in
        let found = context.withMetadataValue("authorization") { bytes in
          bytes.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        }
        seen.withLock { $0.append(found) }
        sink.write(EchoMessage(text: found))
        return .answered
      }
    }) { server in
      let client = EchoServiceClient(try server.client())
      var metadata = Metadata()
      try metadata.add("authorizatio", "wrong")
      try metadata.add("authorization", binary: [1, 2])
      try metadata.add("authorization", "Bearer abc")
      let found = try await client.secret(
        EchoMessage(), options: CallOptions(metadata: metadata))
      #expect(found.text == "Bearer abc")
      let missing = try await client.secret(EchoMessage())
      #expect(missing.text == "nothing")
      #expect(seen.current == ["Bearer abc", "nothing"])
    }
  }
}
