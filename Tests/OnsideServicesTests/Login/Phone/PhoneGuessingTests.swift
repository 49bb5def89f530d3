import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

/// Hostile peers: guessing codes, flooding a number, finding out who has an account.
@Suite("Phone login under attack")
struct PhoneGuessingTests {
  private static let attacker = "198.51.100.7:40000"
  private static let number = MarketplaceFixture.phoneNumber

  @Test("1,000 wrong tries are limited, and an honest user gets in, also with the same number")
  func wrongTries() async throws {
    let fixture = try await MarketplaceFixture()
    let hostile = try fixture.login(from: Self.attacker)
    var reasons: [RefusalReason: Int] = [:]
    var challenge = try await fixture.sendCode(from: hostile).challengeID
    for _ in 0..<1_000 {
      let error = try await failure { () throws(RPCError) in
        // Not the code, whichever it is: six letters.
        try await fixture.tryCode("abcdef", of: challenge, from: hostile)
      }
      reasons[error.refusalReason ?? .sessionInvalid, default: 0] += 1
      guard error.refusalReason != .phoneCodeWrong else { continue }
      if let next = try? await fixture.sendCode(from: hostile) { challenge = next.challengeID }
    }
    // Three codes were to be had, with five tries each.
    #expect(reasons[.phoneCodeWrong] == 15)
    #expect(reasons[.phoneLimited] == 985)
    #expect(try await fixture.logIn(phone: Self.number).created)
    #expect(try await !fixture.logIn(phone: Self.number).created)
  }

  @Test("Codes of many numbers guessed from one address: limited, and who shares it gets in")
  func manyNumbers() async throws {
    let fixture = try await MarketplaceFixture { $0.phoneLogin.freeCodesPerAddress = 1_000 }
    let shared = try fixture.login(from: Self.attacker)
    var wrong = 0
    for number in 0..<200 {
      let challenge = try await fixture.sendCode(
        to: "+4915700000\(100 + number)", from: shared
      ).challengeID
      for _ in 0..<5 {
        let error = try await failure { () throws(RPCError) in
          try await fixture.tryCode("abcdef", of: challenge, from: shared)
        }
        if error.refusalReason == .phoneCodeWrong { wrong += 1 }
      }
    }
    // The first 30 without a wait, then the one try that everybody has for a code of their own.
    #expect(wrong == 30 + 194)
    #expect(try await fixture.logIn(phone: Self.number, from: shared).created)
  }

  @Test("Made-up challenges are limited like wrong codes")
  func forgedChallenges() async throws {
    let fixture = try await MarketplaceFixture()
    var reasons: [RefusalReason] = []
    for _ in 0..<100 {
      let challenge = ProfileID.random().description
      let error = try await failure { () throws(RPCError) in
        try await fixture.tryCode("000000", of: challenge)
      }
      reasons.append(error.refusalReason ?? .sessionInvalid)
    }
    #expect(reasons[..<30].allSatisfy { $0 == .phoneCodeExpired })
    #expect(reasons[30...].allSatisfy { $0 == .phoneLimited })
    // The way is free again after the wait.
    fixture.clock.advance(by: .seconds(1))
    let later = try await failure { () throws(RPCError) in
      try await fixture.tryCode("000000", of: "x")
    }
    #expect(later.refusalReason == .phoneCodeExpired)
  }

  @Test("A flooded number is sent three codes from one address, then fewer and fewer")
  func floodedNumber() async throws {
    let fixture = try await MarketplaceFixture()
    var waits: [Int64] = []
    var sent = 0
    for _ in 0..<8 {
      let error = try await failure { () throws(RPCError) in
        while true {
          let answer = try await fixture.sendCode()
          sent += 1
          let wait = answer.resendAfterMs - fixture.clock.now.milliseconds
          #expect(sent < 3 ? wait == 0 : wait > 0)
        }
      }
      #expect(error.code == .resourceExhausted)
      #expect(error.refusalReason == .phoneLimited)
      let wait = Int64(error.info?.values["retry_after_ms"] ?? "") ?? 0
      waits.append(wait)
      fixture.clock.advance(by: .milliseconds(wait))
    }
    #expect(sent == 3 + 7)
    #expect(waits == [60, 120, 240, 480, 960, 1_920, 3_840, 7_680].map { $0 * 1_000 })
    // Other numbers and other addresses aren't touched.
    #expect(try await fixture.logIn(phone: "+4915187654321").created)
    #expect(
      try await fixture.logIn(phone: Self.number, from: fixture.login(from: Self.attacker)).created)
    // Who has logged in begins anew.
    _ = try await fixture.logIn(phone: Self.number)
    for _ in 0..<3 { _ = try await fixture.sendCode() }
  }

  @Test("A known and an unknown number get the same, and the store isn't asked")
  func enumeration() async throws {
    let store = MemoryStore()
    let fixture = try await MarketplaceFixture(store: store)
    _ = try await fixture.logIn(phone: Self.number)
    // A closed store answers nothing: whatever is answered now doesn't depend on it.
    await store.close()
    var texts: Set<String> = []
    for number in [Self.number, "+4915187654321"] {
      let answer = try await fixture.sendCode(to: number)
      #expect(answer.expiresAtMs == fixture.clock.now.milliseconds + 300_000)
      #expect(answer.resendAfterMs == fixture.clock.now.milliseconds)
      #expect(answer.challengeID.utf8.count == 36)
      for _ in 0..<6 {
        let error = try await failure { () throws(RPCError) in
          try await fixture.tryCode("abcdef", of: answer.challengeID)
        }
        texts.insert("\(error.code) \(error.message)")
      }
    }
    #expect(texts.count == 6)
  }

  @Test("Numbers, codes and challenges are in no log line and no error")
  func secrets() async throws {
    let fixture = try await MarketplaceFixture()
    var errors = ""
    var secrets: [String] = ["15112345678"]
    for _ in 0..<8 {
      guard let challenge = try? await fixture.sendCode().challengeID else { continue }
      let code = try await fixture.code(of: challenge)
      secrets += [code, challenge]
      for text in [MarketplaceFixture.other(than: code), "12345", "1234567", "😀"] {
        let error = try await failure { () throws(RPCError) in
          try await fixture.tryCode(text, of: challenge)
        }
        errors += "\(error)\n"
      }
    }
    for _ in 0..<5 {
      errors += "\(try await failure { () throws(RPCError) in try await fixture.sendCode() })\n"
    }
    #expect(fixture.log.lines.contains("phone login is limited"))
    #expect(secrets.count > 6)
    for secret in secrets {
      #expect(!errors.contains(secret))
      #expect(!fixture.log.lines.contains(secret))
    }
  }
}
