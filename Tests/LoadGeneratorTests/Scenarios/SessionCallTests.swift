import OnsideProto
import ProtobufWire
import RPC
import Testing

@testable import LoadGenerator

@Suite struct SessionCallTests {
  @Test(arguments: [0, 1, 15, 255, 0xABCDEF, 0xFFFF_FFFF_FFFF] as [UInt64])
  func requestIsWhatTheGeneratedCodeWrites(_ user: UInt64) throws {
    let names = UserNames(seed: 0x1234)
    let call = SessionCall(
      appID: "com.example.shop", names: names, options: CallOptions(), answered: { _ in },
      refused: { _ in })
    call.user = user
    var bytes = [UInt8](repeating: 0xEE, count: call.requestSize())
    bytes.withUnsafeMutableBytes { call.encodeRequest(into: $0) }
    let request = CreateSessionRequest(
      appID: "com.example.shop", credential: .externalUserID(names.text(user)))
    #expect(try CreateSessionRequest(serialized: bytes) == request)
    #expect(bytes == request.serialized())
  }

  @Test func namesHaveSeedAndNumber() {
    #expect(UserNames(seed: 0x1234).text(0xAB) == "user-00001234-0000000000ab")
    #expect(UserNames(seed: 0xFF_FFFF_FFFF).text(0) == "user-ffffffff-000000000000")
    let names = Set((0..<5000).map { UserNames(seed: 1).text(UInt64($0)) })
    #expect(names.count == 5000)
  }

  private let response = CreateSessionResponse(
    sessionToken: "the-token", profileID: "00000000-0000-4000-8000-000000000000", created: true,
    expiresAtMs: 1_796_026_109_012, storefrontCountry: "DE")

  private func read(_ bytes: [UInt8]) throws -> SessionCall.Answer {
    try bytes.withUnsafeBytes { try SessionCall.read($0) }
  }

  @Test func responseIsReadWithoutDecodingIt() throws {
    let answer = try read(response.serialized())
    #expect(answer.tokenLength == 9)
    #expect(
      answer.tokenFingerprint == Array("the-token".utf8).withUnsafeBytes { Fingerprint.of($0) })
    #expect(answer.profileLength == 36)
    #expect(answer.isCreated)
    #expect(answer.expiresAtMilliseconds == 1_796_026_109_012)
    #expect(answer.problem(isNew: true) == nil)
    #expect(answer.problem(isNew: nil) == nil)
    #expect(answer.problem(isNew: false) != nil)
  }

  @Test func fieldsFromLaterVersionsAreSkipped() throws {
    let unknown: [UInt8] = [0xFA, 0x01, 0x02, 0x01, 0x02]  // field 31, two bytes
    #expect(try read(unknown + response.serialized() + unknown).tokenLength == 9)
  }

  @Test func wrongAnswersAreNamed() throws {
    var wrong = response
    wrong.sessionToken = ""
    #expect(try read(wrong.serialized()).problem(isNew: true) == "a session without a token")
    wrong = response
    wrong.profileID = "short"
    #expect(try read(wrong.serialized()).problem(isNew: true)?.contains("5 bytes") == true)
    wrong = response
    wrong.expiresAtMs = 0
    #expect(try read(wrong.serialized()).problem(isNew: true) == "a session without an expiry")
  }

  @Test func truncatedResponsesAreErrors() {
    let bytes = response.serialized()
    for length in 1..<bytes.count {
      let cut = Array(bytes[..<length])
      // Cut between two fields it is a message still, with less in it.
      if let answer = try? read(cut) { #expect(answer.problem(isNew: true) != nil || length > 49) }
    }
    #expect(throws: WireError.self) { try read(Array(bytes[..<5])) }
  }

  @Test func usersTakeTurns() {
    var known = UserTurn(lane: 1, of: 2, known: 3)
    #expect((0..<4).map { _ in known.take() } == [1, 0, 2, 1])
    var first = UserTurn(lane: 0, of: 2, known: nil)
    var second = UserTurn(lane: 1, of: 2, known: nil)
    let all = Set((0..<100).flatMap { _ in [first.take(), second.take()] })
    #expect(all.count == 200)
  }
}
