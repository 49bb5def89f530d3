import RPCCore

/// The addresses of a server, what is known of each, and which to connect to next.
///
/// Whoever drives it tells what becomes of connections, and asks `next` after each change. It reads
/// no clock and makes no connection. Events of addresses that aren't in the book any more are
/// ignored.
package struct AddressBook<Address: Hashable & Sendable>: Sendable {
  /// What is known of an address.
  struct Entry: Sendable {
    let address: Address
    /// Attempts to connect that failed since the last one that didn't.
    var failures = 0
    /// No attempt begins before.
    var retryAt = MonotonicInstant(nanoseconds: .min)
    var connecting = 0
    /// Connections that count: those that are drained or being replaced don't.
    var open = 0
    /// Of the open ones, those whose server says that it doesn't serve.
    var unhealthy = 0
    /// Connections in a row that the server ended soon.
    var shortLives = 0

    var usable: Int { open - unhealthy }
  }

  /// How an address book decides.
  package struct Plan: Sendable {
    package var balancing: Balancing
    /// Connections to each address that is used.
    package var size: Int
    package var backoff: Backoff
    /// How long the first address may take before the second one is tried beside it.
    package var stagger: Duration

    package init(
      balancing: Balancing, size: Int, backoff: Backoff = Backoff(jitter: 0),
      stagger: Duration = .milliseconds(250)
    ) {
      self.balancing = balancing
      self.size = max(1, size)
      self.backoff = backoff
      self.stagger = stagger
    }
  }

  /// A connection that lives shorter is one that the server didn't want. Longer ones pace
  /// themselves by their handshakes.
  private static var shortLife: Duration { .milliseconds(100) }

  /// So many short lives in a row are taken as bad luck; more are paced as failures are.
  private static var shortLivesAllowed: Int { 3 }

  private let plan: Plan
  private var entries: [Entry] = []
  private var lastDial = MonotonicInstant(nanoseconds: .min)

  /// A book without addresses.
  package init(_ plan: Plan) { self.plan = plan }

  package var isEmpty: Bool { entries.isEmpty }

  package var addresses: [Address] { entries.map(\.address) }

  /// Attempts that are under way.
  package var connecting: Int { entries.reduce(0) { $0 + $1.connecting } }

  /// Takes a new list of addresses in place of the old one. What is known of those in both stays.
  package mutating func replace(_ addresses: [Address]) {
    var fresh: [Entry] = []
    for address in addresses where !fresh.contains(where: { $0.address == address }) {
      fresh.append(entries.first { $0.address == address } ?? Entry(address: address))
    }
    entries = fresh
  }

  package func contains(_ address: Address) -> Bool {
    entries.contains { $0.address == address }
  }

  // MARK: What becomes of connections

  private mutating func change(_ address: Address, _ body: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.address == address }) else { return }
    body(&entries[index])
  }

  /// An attempt to connect failed.
  ///
  /// - Parameter random: In 0..<1, for the spread of the back-off.
  package mutating func failed(_ address: Address, now: MonotonicInstant, random: Double) {
    let backoff = plan.backoff
    change(address) { entry in
      entry.connecting = max(0, entry.connecting - 1)
      // Attempts that began together fail together: that is one failure.
      guard entry.retryAt <= now else { return }
      entry.failures += 1
      entry.retryAt = now.advanced(
        by: backoff.delay(afterFailures: entry.failures, random: random))
    }
  }

  /// An attempt was given up by this side.
  package mutating func abandoned(_ address: Address) {
    change(address) { $0.connecting = max(0, $0.connecting - 1) }
  }

  /// A connection was made.
  ///
  /// - Returns: False when it isn't needed: it doesn't count.
  package mutating func opened(_ address: Address) -> Bool {
    let isSurplus =
      plan.balancing == .pickFirst
      && entries.contains { $0.usable > 0 && $0.address != address }
    let isKnown = contains(address)
    change(address) { entry in
      entry.connecting = max(0, entry.connecting - 1)
      entry.failures = 0
      entry.retryAt = MonotonicInstant(nanoseconds: .min)
      if !isSurplus { entry.open += 1 }
    }
    return isKnown && !isSurplus
  }

  /// A connection that counted doesn't any more: it has ended, or takes no calls, or is to be
  /// replaced.
  ///
  /// - Parameters:
  ///   - isHealthy: Whether its server was said to serve.
  ///   - lifetime: How long it lived when the server ended it; nil when this side did.
  ///   - random: In 0..<1, for the spread of the back-off.
  package mutating func closed(
    _ address: Address, isHealthy: Bool = true, lifetime: Duration?, now: MonotonicInstant,
    random: Double
  ) {
    let backoff = plan.backoff
    change(address) { entry in
      entry.open = max(0, entry.open - 1)
      if !isHealthy { entry.unhealthy = max(0, entry.unhealthy - 1) }
      guard let lifetime, lifetime < Self.shortLife else {
        entry.shortLives = 0
        return
      }
      entry.shortLives += 1
      let excess = entry.shortLives - Self.shortLivesAllowed
      guard excess > 0 else { return }
      entry.retryAt = now.advanced(by: backoff.delay(afterFailures: excess, random: random))
    }
  }

  /// Addresses that failed may be tried again at once: the ones that worked don't any more.
  package mutating func endBackoffs() {
    for index in entries.indices where entries[index].failures > 0 {
      entries[index].retryAt = MonotonicInstant(nanoseconds: .min)
    }
  }

  /// The server of a connection that counts says that it serves, or that it doesn't any more.
  package mutating func healthChanged(_ address: Address, isHealthy: Bool) {
    change(address) { entry in
      entry.unhealthy = min(entry.open, max(0, entry.unhealthy + (isHealthy ? -1 : 1)))
    }
  }

  // MARK: What to do next

  /// The address that a connection is to be made to now, which counts as begun; nil when there is
  /// none.
  package mutating func next(now: MonotonicInstant) -> Address? {
    guard let index = choice(now) else { return nil }
    entries[index].connecting += 1
    lastDial = now
    return entries[index].address
  }

  private func choice(_ now: MonotonicInstant) -> Int? {
    if isStaggered, connecting > 0, now < lastDial.advanced(by: plan.stagger) { return nil }
    return candidates.first { entries[$0].retryAt <= now }
  }

  /// Whether the addresses are tried one after the other, to find the first that works.
  private var isStaggered: Bool {
    plan.balancing == .pickFirst && entries.count > 1 && !entries.contains { $0.usable > 0 }
  }

  /// The addresses that there are to be connections to which there aren't yet.
  private var candidates: [Int] {
    if isStaggered {
      return entries.indices.filter { entries[$0].connecting == 0 && entries[$0].open == 0 }
    }
    let used =
      plan.balancing == .pickFirst && entries.count > 1
      ? entries.indices.prefix { entries[$0].usable == 0 }.count : nil
    return entries.indices.filter { lacks(entries[$0]) && (used == nil || $0 == used) }
  }

  private func lacks(_ entry: Entry) -> Bool {
    // After a failure one attempt is enough to find out.
    entry.open + entry.connecting < (entry.failures == 0 ? plan.size : 1)
  }

  /// When `next` may have an answer that it doesn't have now; nil: only after another event.
  package func wakeup(now: MonotonicInstant) -> MonotonicInstant? {
    guard var instant = candidates.map({ entries[$0].retryAt }).min() else { return nil }
    if isStaggered, connecting > 0 {
      instant = max(instant, lastDial.advanced(by: plan.stagger))
    }
    return max(instant, now)
  }

  /// Whether nothing is under way that a call could wait for: each address has failed and waits, or
  /// its server says that it doesn't serve.
  package func isHopeless(now: MonotonicInstant) -> Bool {
    !entries.isEmpty
      && entries.allSatisfy { entry in
        entry.usable == 0 && entry.connecting == 0
          && (entry.unhealthy > 0 || (entry.failures > 0 && entry.retryAt >= now))
      }
  }

  /// Whether nothing is under way, and nothing to begin now.
  package func isSettled(now: MonotonicInstant) -> Bool {
    connecting == 0 && choice(now) == nil
  }
}
