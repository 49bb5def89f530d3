import OnsideStore
import Testing

@testable import OnsideServices

@Suite("Fault rules decide")
struct FaultRulesTests {
  private static let login = "onside.v1.LoginService/CreateSession"

  private func rules(_ faults: Fault...) -> FaultRules {
    var rules = FaultRules()
    for fault in faults { _ = rules.add(fault) }
    return rules
  }

  private func fault(
    _ match: Fault.Match = Fault.Match(), skip: UInt64 = 0, count: UInt64 = 0
  ) -> Fault {
    Fault(match: match, skip: skip, count: count, effect: .dropReply)
  }

  @Test("An empty rule matches every call, and counts what it did")
  func everything() {
    var rules = rules(fault())
    for call in 1...3 {
      let fired = rules.decide(FaultCandidate(method: Self.login))
      #expect(fired?.id == "fault-1" && fired?.fired == UInt64(call))
    }
    #expect(rules.faults[0].matched == 3 && rules.faults[0].fired == 3)
  }

  @Test("Each field of a match keeps other calls out")
  func fields() {
    let profile = ProfileID.random()
    let call = FaultCandidate(
      method: Self.login, appID: "shop", profileID: profile, externalUserID: "user")
    let whole = Fault.Match(
      method: Self.login, appID: "shop", profileID: profile, externalUserID: "user")
    #expect(whole.matches(call))
    var others = [call, call, call, call]
    others[0].method = "onside.v1.LoginService/GetProfile"
    others[1].appID = "other"
    others[2].profileID = .random()
    others[3].externalUserID = nil
    for other in others { #expect(!whole.matches(other)) }
    // Byte by byte: these are equal as Strings.
    #expect(
      !Fault.Match(externalUserID: "caf\u{e9}").matches(
        FaultCandidate(method: Self.login, externalUserID: "cafe\u{301}")))
  }

  @Test(
    "So many are let through first, then it fires so often, or for good",
    arguments: [UInt64(0), 1, 3], [UInt64(0), 1, 2])
  func counts(skip: UInt64, count: UInt64) {
    var rules = rules(fault(skip: skip, count: count))
    let fired = (0..<10).map { _ in rules.decide(FaultCandidate(method: Self.login)) != nil }
    let expected = (0..<10).map { $0 >= skip && (count == 0 || $0 < skip + count) }
    #expect(fired == expected)
    #expect(rules.faults[0].matched == 10)
    #expect(rules.faults[0].fired == UInt64(expected.count { $0 }))
  }

  @Test("The oldest that is due fires; those behind it don't see the call")
  func order() {
    var rules = rules(fault(count: 1), fault(skip: 1), fault())
    let fired = (0..<4).map { _ in rules.decide(FaultCandidate(method: Self.login))?.id }
    // The second rule sees the second call, skips it, and leaves it to the third.
    #expect(fired == ["fault-1", "fault-3", "fault-2", "fault-2"])
    #expect(rules.faults.map(\.matched) == [4, 3, 1])
  }

  @Test("Removing one leaves the others; an identifier is never used again")
  func removal() {
    var rules = rules(fault(), fault())
    let removals = ["fault-1", "fault-1"].map { rules.remove($0) }
    #expect(removals == [true, false])
    for unknown in ["fault-3", "fault-0", "fault-", "fault-x", "x", ""] {
      let removal = rules.remove(unknown)
      #expect(removal == nil)
    }
    let added = rules.add(fault())
    #expect(added?.id == "fault-3")
    let count = rules.removeAll()
    #expect(count == 2 && rules.faults.isEmpty)
    var empty = FaultRules()
    let removal = empty.remove("fault-1")
    #expect(removal == nil && empty.questions(about: Self.login).isEmpty)
  }

  @Test("What is given with a rule is not what it has done")
  func startsAnew() {
    var rules = FaultRules()
    var given = fault()
    given.id = "mine"
    given.matched = 5
    given.fired = 5
    let added = rules.add(given)
    #expect(added?.id == "fault-1" && added?.matched == 0 && added?.fired == 0)
  }

  @Test("There are so many at most")
  func limit() {
    var rules = FaultRules()
    let added = (0...FaultRules.limit).map { _ in rules.add(fault()) != nil }
    #expect(added.last == false && added.dropLast().allSatisfy { $0 })
  }

  @Test("Only what a rule of the method asks for has to be known")
  func questions() {
    let rules = rules(
      fault(Fault.Match(method: Self.login, externalUserID: "user")),
      fault(Fault.Match(method: "x", profileID: .random())))
    #expect(rules.questions(about: Self.login) == .externalUser)
    #expect(rules.questions(about: "x") == .profile)
    #expect(rules.questions(about: "y").isEmpty)
  }
}
