import Logging
import OnsideDomain
import OnsideStore
import RPC

extension Marketplace {
  /// How many rows one step of tidying up forgets: few enough not to hold up the calls beside it.
  private static let purgeStep = 1_000

  /// Forgets idempotency keys, profiles' events and tracked events after 30 days.
  package func purge() async {
    await purgeTrackedEvents()
    let now = clock.wall().milliseconds
    let old = Timestamp(milliseconds: now - idempotencyKeyRetention)
    let oldEvents = Timestamp(milliseconds: now - profileEventRetention)
    await duty("purge") { () async throws(StoreError) in
      while try await store.purgeIdempotencyKeys(createdBefore: old, limit: Self.purgeStep)
        == Self.purgeStep, !Task.isCancelled
      {}
      while try await store.purgeProfileEvents(before: oldEvents, limit: Self.purgeStep)
        == Self.purgeStep, !Task.isCancelled
      {}
    }
  }

  private func purgeTrackedEvents() async {
    let old = Timestamp(milliseconds: clock.wall().milliseconds - trackedEventRetention)
    await duty("tracked events") { () async throws(StoreError) in
      while try await store.purgeTrackedEvents(receivedBefore: old, limit: Self.purgeStep)
        == Self.purgeStep, !Task.isCancelled
      {}
    }
  }

  /// Makes the next session key in time, forgets keys and ended sessions that have had their time,
  /// and takes over what other servers on the same store did.
  package func maintainSessions() async {
    await duty("session keys") { () async throws(StoreError) in try await sessions.maintain() }
  }

  /// Ends the watching calls of sessions that have expired.
  package func endExpiredWatches() {
    payments.watches.endWithSessions()
  }

  /// Ends all watching calls, so that the server can drain.
  package func drain() {
    payments.watches.drain()
  }

  /// Makes a new key for signed histories once a year.
  package func maintainSigningKeys() async {
    await duty("signing keys") { () async throws(StoreError) in
      try await payments.history.maintain()
    }
  }

  /// Asks again about purchases that the processor gave no outcome for. The youngest are left to
  /// the calls that made them.
  package func resolveLeftPurchases() async {
    await duty("open purchases") { () async throws(StoreError) in
      let deadline = clock.monotonic().advanced(by: configuration.resolvingTime)
      let report = try await purchases.resolveUnresolved(
        attempts: 1, until: deadline, olderThan: .seconds(60))
      if report.resolved > 0 {
        log.info("open purchases were resolved", ["count": .count(report.resolved)])
      }
    }
  }

  private var clock: ServiceClock { configuration.clock }

  private func duty(_ name: String, _ work: () async throws(StoreError) -> Void) async {
    do throws(StoreError) {
      try await work()
    } catch {
      log.log(
        .error, "a background duty failed; it is tried again",
        ["duty": .string(name), "cause": .describing(error)], key: name, every: .seconds(60))
    }
  }
}
