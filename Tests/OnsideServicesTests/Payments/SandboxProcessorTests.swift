import OnsideDomain
import Testing

@testable import OnsideServices

@Suite("The sandbox's payment processor")
struct SandboxProcessorTests {
  private func payment(_ token: String, key: String = "key") throws -> PaymentRequest {
    let euro = try #require(Currency("EUR"))
    return PaymentRequest(
      key: key, method: .applePay, token: token, amount: Money(minorUnits: 499, currency: euro))
  }

  @Test(
    "Each test token has its outcome, also with a text behind a colon",
    arguments: [
      (SandboxToken.paid, PaymentOutcome.paid), (.declined, .failed(.declined)),
      (.cancelled, .failed(.cancelled)), (.needsApproval, .needsApproval),
    ])
  func outcomes(_ token: SandboxToken, _ expected: PaymentOutcome) async throws {
    let processor = SandboxProcessor()
    #expect(try await processor.authorize(payment(token.rawValue)) == expected)
    #expect(try await processor.authorize(payment("\(token.rawValue):42", key: "b")) == expected)
  }

  @Test("The same key charges once however often it is asked")
  func chargesOnce() async throws {
    let processor = SandboxProcessor()
    for _ in 0..<10 {
      #expect(try await processor.authorize(payment("sandbox-paid")) == .paid)
    }
    #expect(try await processor.authorize(payment("sandbox-paid", key: "b")) == .paid)
    #expect(processor.counters == .init(requests: 11, charges: 2, unavailable: 0))
  }

  @Test("A processor that is down gives no outcome; one that was down once gives it the next time")
  func down() async throws {
    let processor = SandboxProcessor()
    for _ in 0..<3 {
      await #expect(throws: ProcessorError.self) {
        try await processor.authorize(payment("sandbox-unavailable"))
      }
    }
    await #expect(throws: ProcessorError.self) {
      try await processor.authorize(payment("sandbox-unavailable-once", key: "b"))
    }
    #expect(processor.counters.charges == 0)
    #expect(
      try await processor.authorize(payment("sandbox-unavailable-once", key: "b")) == .paid)
    #expect(processor.counters == .init(requests: 5, charges: 1, unavailable: 4))
  }

  @Test("A lost reply has charged: asking again tells the outcome and charges nobody")
  func lostReply() async throws {
    let processor = SandboxProcessor()
    await #expect(throws: ProcessorError.self) {
      try await processor.authorize(payment("sandbox-reply-lost"))
    }
    #expect(processor.counters.charges == 1)
    #expect(try await processor.authorize(payment("sandbox-reply-lost")) == .paid)
    #expect(processor.counters.charges == 1)
  }

  @Test(
    "A token that nobody made is a problem whose text doesn't show it",
    arguments: [
      "secret-token-of-somebody", "sandbox-", "sandbox-paidx", "SANDBOX-PAID", ":sandbox-paid",
    ])
  func unknown(_ token: String) {
    let problem = SandboxProcessor().problem(withToken: token, of: .card)
    #expect(problem?.contains("sandbox-paid") == true)
    #expect(problem?.contains(token) == (token == "sandbox-"))
  }

  @Test("The memory of keys is bounded and holds the last ones")
  func bounded() {
    var keys = RecentKeys(capacity: 10)
    for index in 0..<1_000 {
      let isNew = keys.insert("\(index)")
      #expect(isNew)
      #expect(keys.count <= 20)
    }
    let again = ["999", "991", "0"].map { keys.insert($0) }
    #expect(again == [false, false, true])
  }

  @Test("A payment's description shows no token")
  func redacted() throws {
    let payment = try payment("top-secret")
    var dumped = ""
    dump(payment, to: &dumped)
    #expect(!"\(payment) \(String(reflecting: payment)) \(dumped)".contains("top-secret"))
  }
}
