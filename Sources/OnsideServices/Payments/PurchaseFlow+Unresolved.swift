import Logging
import OnsideDomain
import OnsideStore
import RPC
import RPCCore

extension PurchaseFlow {
  /// How a round of resolving went.
  struct ResolvingReport: Sendable, Hashable {
    /// Purchases that have an outcome now.
    var resolved = 0

    /// Purchases that have none yet: the processor didn't answer, or there was no time to ask.
    var unresolved = 0
  }

  /// How many purchases are resolved at a time, and how many are read at a time.
  private static let width = 16
  private static let pageSize = 500

  /// Asks the processor about every intent without an outcome, oldest first: the server ended, or
  /// the processor was down, between the intent and its outcome.
  ///
  /// - Parameters:
  ///   - attempts: How often the processor is asked about each purchase.
  ///   - deadline: After it nothing more is begun; what is left stays for a later round.
  ///   - age: Younger intents are left to the calls that made them; nil: none is, whatever the
  ///     clock says.
  /// - Throws: What the store said when the intents couldn't be read.
  func resolveUnresolved(
    attempts: Int, until deadline: MonotonicInstant, olderThan age: Duration? = nil
  ) async throws(StoreError) -> ResolvingReport {
    var report = ResolvingReport()
    var position: PurchasePosition?
    let newest = age.map { clock.wall().milliseconds - $0.saturatedNanoseconds / 1_000_000 }
    while true {
      let page = try await store.unresolvedPurchases(after: position, limit: Self.pageSize)
      let intents = page.filter { $0.createdAt.milliseconds <= newest ?? .max }
      let found = await resolve(intents, attempts: attempts, until: deadline)
      report.resolved += found
      report.unresolved += intents.count - found
      guard page.count == Self.pageSize, intents.count == page.count else { return report }
      position = page.last?.position
    }
  }

  /// - Returns: How many have an outcome now.
  private func resolve(
    _ intents: [PurchaseIntent], attempts: Int, until deadline: MonotonicInstant
  ) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      var waiting = intents[...]
      var resolved = 0
      for _ in 0..<Self.width {
        guard let intent = waiting.popFirst() else { break }
        group.addTask { await self.resolve(intent, attempts: attempts, until: deadline) }
      }
      while let found = await group.next() {
        if found { resolved += 1 }
        guard let intent = waiting.popFirst() else { continue }
        group.addTask { await self.resolve(intent, attempts: attempts, until: deadline) }
      }
      return resolved
    }
  }

  private func resolve(
    _ intent: PurchaseIntent, attempts: Int, until deadline: MonotonicInstant
  ) async -> Bool {
    let request = PaymentRequest(intent)
    for _ in 0..<attempts where clock.monotonic() < deadline {
      if case .success = await resolve(intent.transaction, request) { return true }
    }
    return false
  }
}
