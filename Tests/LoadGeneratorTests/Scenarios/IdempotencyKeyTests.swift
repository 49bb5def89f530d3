import LoadReporting
import OnsideProto
import ProtobufWire
import Testing

@testable import LoadGenerator

@Suite struct IdempotencyKeyTests {
  private func keys(seed: UInt64, calls: Int) async throws -> [String] {
    try await withLoops(2) { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops) { method, request, _ in
        marketplace.reply(method, request)
      }
      var plan = LoadPlan(scenario: .purchase)
      plan.connections = 4
      plan.inFlight = 3
      plan.duration = nil
      plan.warmup = .zero
      plan.callLimit = calls
      plan.users = 5
      plan.applePayToken = "sandbox-paid"
      plan.seed = seed
      plan.repeatShare = 0
      plan.verifies = false
      let pool = try ProductPool(ScriptedMarketplace.pool, source: "test")
      let report = try await LoadRun(plan, products: pool, source: server, loops: loops).execute()
      #expect(report.verdict == .passed)
      return try server.requests.filter { $0.method.hasSuffix("/CreatePurchase") }
        .map { try CreatePurchaseRequest(serialized: $0.bytes).idempotencyKey }
    }
  }

  @Test("LG-08 what is generated for a call is its own, and the same inside it")
  func keysAreUniqueForEachCall() async throws {
    let all = try await keys(seed: 7, calls: 120)
    // One request each: a call that was tried again would come with the same key a second time.
    #expect(all.count == 120)
    #expect(Set(all).count == 120)
    let others = try await keys(seed: 8, calls: 60)
    #expect(Set(all).isDisjoint(with: others), "another run doesn't get this one's purchases")
  }
}
