import ConformanceMessages
import ProtobufWire
import Testing

@Suite("The conformance runner's examinee")
struct ExamineeTests {
  private func request(
    _ payload: ConformanceRequest.Payload, to format: ConformanceWireFormat = .protobuf,
    as type: String = TestAllTypes.protoName
  ) -> ConformanceRequest {
    ConformanceRequest(payload: payload, requestedOutputFormat: format, messageType: type)
  }

  @Test("It encodes again what it decoded, and says why it can't")
  func answers() async throws {
    let examinee = try Examinee()
    let message = TestAllTypes(optionalInt32: 5, repeatedString: ["a", "b"]).serialized()
    let answers = try await examinee.answers(to: [
      request(.protobufPayload([]), as: ConformanceFailureSet.protoName),
      request(.protobufPayload(message)), request(.protobufPayload([0x08])),
      request(.protobufPayload([])),
    ])
    #expect(answers[0].result == .protobufPayload([]))
    #expect(answers[1].result == .protobufPayload(message))
    #expect(answers[2].result == .parseError("a value ends after its message at byte 1"))
    #expect(answers[3].result == .protobufPayload([]))
    #expect(try await examinee.finish() == 0)
  }

  @Test("JSON is read and written; what it doesn't know is skipped where that is the test")
  func json() async throws {
    let examinee = try Examinee()
    let message = TestAllTypes(optionalInt32: 5).serialized()
    let strict = request(.jsonPayload("{\"nothing\": 1, \"optionalInt32\": 5}"))
    var lenient = strict
    lenient.testCategory = .jsonIgnoreUnknownParsingTest
    let answers = try await examinee.answers(to: [
      request(.jsonPayload("{\"optionalInt32\": 5}")),
      request(.protobufPayload(message), to: .json),
      strict, lenient,
      // A timestamp of the year 10000.
      request(.protobufPayload([0xf2, 0x12, 7, 8, 0x80, 0x83, 0xd1, 0xff, 0xaf, 7]), to: .json),
    ])
    #expect(answers[0].result == .protobufPayload(message))
    #expect(answers[1].result == .jsonPayload("{\n  \"optionalInt32\": 5\n}"))
    #expect(answers[2].parseError?.isEmpty == false)
    #expect(answers[3].result == .protobufPayload(message))
    #expect(answers[4].serializeError?.contains("no time of the years 1 to 9999") == true)
    #expect(try await examinee.finish() == 0)
  }

  @Test("Text and proto2 are skipped")
  func skips() async throws {
    let examinee = try Examinee()
    let answers = try await examinee.answers(to: [
      request(.textPayload("")), request(.jspbPayload("[]")),
      request(.protobufPayload([]), to: .textFormat),
      request(
        .protobufPayload([]), as: "protobuf_test_messages.proto2.TestAllTypesProto2"),
    ])
    for answer in answers { #expect(answer.skipped?.isEmpty == false) }
    #expect(try await examinee.finish() == 0)
  }

  @Test(
    "Input that ends within a request, or is none, makes it exit with 1",
    arguments: [[1, 0], [9, 0, 0, 0, 1], [1, 0, 0, 0, 0xff], [0xff, 0xff, 0xff, 0xff]] as [[UInt8]])
  func brokenInput(bytes: [UInt8]) async throws {
    let examinee = try Examinee()
    try await examinee.send(bytes)
    #expect(try await examinee.finish() == 1)
  }

  @Test("4 MiB of empty messages raise the memory of a process by less than 48 times that")
  func peakMemory() async throws {
    let examinee = try Examinee()
    var flood: [UInt8] = [0x82, 0x03, 0x00, 0x82, 0x03, 0x00]  // Field 48: repeated NestedMessage.
    while flood.count < 4 << 20 { flood += flood }
    _ = try await examinee.answers(to: [request(.protobufPayload([]))])
    let before = try await examinee.peakMemory()
    let answers = try await examinee.answers(to: [request(.protobufPayload(flood))])
    let rise = try await examinee.peakMemory() - before
    print("4 MiB of empty messages: peak memory rose by \(rise >> 20) MiB")
    #expect(answers.first?.result != nil)
    #expect(rise < 48 * flood.count)
    #expect(try await examinee.finish() == 0)
  }
}
