import TestSupport
import ConformanceMessages
import ProtobufWire
import Testing

typealias TestAllTypes = ProtobufTestMessages_Proto3_TestAllTypesProto3

@Suite(
  "The official conformance suite",
  .enabled(if: isAvailable(ConformanceVectors.path, for: "the conformance tests")))
struct ConformanceTests {
  @Test("All 651 proto3 binary cases pass, without an exception")
  func proto3Binary() async throws {
    let cases = try await ConformanceVectors.proto3Binary()
    #expect(cases.count == 651)
    var failures: [String] = []
    for testCase in cases where !passes(testCase) { failures.append(testCase.name) }
    #expect(failures == [])
    #expect(cases.filter { $0.reference == nil }.count == 144)
  }

  private func passes(_ testCase: ConformanceVectors.Case) -> Bool {
    let decoded = try? TestAllTypes(serialized: testCase.payload)
    guard let reference = testCase.reference else { return decoded == nil }
    guard let decoded, let expected = try? TestAllTypes(serialized: reference),
      let again = try? TestAllTypes(serialized: decoded.serialized())
    else { return false }
    // A value with a NaN equals nothing; its bytes then have to be the reference's.
    return (decoded == expected && again == expected) || decoded.serialized() == reference
  }

  @Test("The examinee gives the reference's answers to the runner's requests, through a pipe")
  func examinee() async throws {
    let cases = try await ConformanceVectors.proto3Binary()
    let examinee = try Examinee()
    let answers = try await examinee.answers(
      to: cases.map {
        ConformanceRequest(
          payload: .protobufPayload($0.payload), requestedOutputFormat: .protobuf,
          messageType: TestAllTypes.protoName)
      })
    #expect(answers.count == cases.count)
    for (testCase, answer) in zip(cases, answers) {
      if let reference = testCase.reference {
        #expect(answer.protobufPayload?.count == reference.count, "\(testCase.name)")
      } else {
        #expect(answer.parseError?.isEmpty == false, "\(testCase.name)")
      }
    }
    #expect(try await examinee.finish() == 0)
  }
}
