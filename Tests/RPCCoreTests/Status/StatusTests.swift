import Testing

@testable import RPCCore

@Suite struct StatusTests {
  private func roundTrip(_ status: Status) throws -> Status {
    try Status(decoding: status.encoded().span.bytes)
  }

  @Test func plainSuccessIsEmpty() throws {
    #expect(Status.ok.encoded().isEmpty)
    #expect(try roundTrip(.ok) == .ok)
  }

  @Test func anyTextComesThrough() throws {
    for text in ["", "%41 %", "a\nb\r", "\0", "🙂 ü 漢", String(repeating: "x", count: 8192)] {
      let status = Status(code: .aborted, message: text)
      #expect(try roundTrip(status) == status)
    }
  }

  @Test(arguments: ["é", "漢", "🙂", "🇩🇪"])
  func longTextIsCutAtAScalar(_ character: String) throws {
    for padding in 0..<4 {
      let text = String(repeating: "x", count: padding) + String(repeating: character, count: 8192)
      let cut = try roundTrip(Status(code: .unknown, message: text)).message
      #expect(cut.utf8.count <= 8192 && cut.utf8.count > 8192 - 4)
      #expect(text.unicodeScalars.starts(with: cut.unicodeScalars))
    }
  }

  @Test func tooMuchIsLeftOutFromTheBack() throws {
    var status = Status(code: .internal, message: "m")
    status.details = [StatusDetail(typeURL: "t", value: [UInt8](repeating: 1, count: 20_000))]
    try status.trailers.add("k", binary: [UInt8](repeating: 2, count: 20_000))
    let received = try roundTrip(status)
    #expect(received.details == status.details)
    #expect(received.trailers.isEmpty == true)
    status.details.append(contentsOf: status.details)
    #expect(try roundTrip(status) == Status(code: .internal, message: "m"))
  }

  @Test func textThatIsNotUTF8IsRepaired() throws {
    let bytes: [UInt8] = [0x08, 2, 0x12, 2, 0xFF, 0x41]
    #expect(try Status(decoding: bytes.span.bytes).message == "\u{FFFD}A")
  }

  @Test func namesOfCodes() {
    #expect(StatusCode.defined.count == 17)
    #expect(StatusCode.unauthenticated.description == "UNAUTHENTICATED")
    #expect(StatusCode(rawValue: 99).description == "CODE_99")
    #expect(CloseCode.flowControl.description == "FLOW_CONTROL")
  }
}
