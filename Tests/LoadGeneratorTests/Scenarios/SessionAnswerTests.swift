import Testing

@testable import LoadGenerator
@testable import OnsideClient

/// What is wrong with the answer of a login, and whose login it is.
@Suite struct SessionAnswerTests {
  private static let id = "00000000-0000-4000-8000-000000000000"

  private func problem(
    token: String = "the-token", profileID: String = id, expires: Int64 = 1, isNew: Bool? = true
  ) -> String? {
    let session = Session(token: token, profileID: profileID, expiresAtMilliseconds: expires)
    return DirectLogin.Answer(session: session, isNewProfile: true, responseSize: 9)
      .problem(isNew: isNew)
  }

  @Test func rightAnswersHaveNoProblem() {
    #expect(problem() == nil)
    #expect(problem(isNew: nil) == nil)
  }

  @Test func wrongAnswersAreNamed() {
    #expect(problem(token: "") == "a session without a token")
    #expect(problem(profileID: "short")?.contains("5 bytes") == true)
    #expect(problem(expires: 0) == "a session without an expiry")
    #expect(problem(isNew: false) == "a known user's profile was made anew")
  }

  @Test func namesHaveSeedAndNumber() {
    #expect(UserNames(seed: 0x1234).text(0xAB) == "user-00001234-0000000000ab")
    #expect(UserNames(seed: 0xFF_FFFF_FFFF).text(0) == "user-ffffffff-000000000000")
    #expect(UserNames(seed: 1).text(0xFFFF_FFFF_FFFF) == "user-00000001-ffffffffffff")
    let names = Set((0..<5000).map { UserNames(seed: 1).text(UInt64($0)) })
    #expect(names.count == 5000)
    #expect(names.allSatisfy { $0.utf8.count == UserNames(seed: 1).length })
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
