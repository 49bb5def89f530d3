public import OnsideDomain
import Synchronization

/// A processor that charges nobody: what it does is written in the token.
///
/// It remembers payments by key, so that asking again with the same key doesn't charge again; the
/// memory is bounded, and since the outcome follows from the token, one that was forgotten comes
/// out the same.
public final class SandboxProcessor: PaymentProcessor {
  /// What it has done so far.
  public struct Counters: Sendable, Hashable {
    /// Payments asked for, again or for the first time.
    public var requests = 0

    /// Payments taken: at most one for each key that is remembered.
    public var charges = 0

    /// Requests without an outcome.
    public var unavailable = 0
  }

  fileprivate struct State {
    var counters = Counters()
    var charged: RecentKeys
    var interrupted: RecentKeys
  }

  private let state: Mutex<State>

  /// A processor that remembers at least the last `capacity` keys.
  public init(capacity: Int = 65_536) {
    state = Mutex(
      State(
        charged: RecentKeys(capacity: capacity), interrupted: RecentKeys(capacity: capacity)))
  }

  /// What it has done so far.
  public var counters: Counters { state.withLock { $0.counters } }

  public func problem(withToken token: String, of method: PaymentMethodKind) -> String? {
    guard SandboxToken(token: token) == nil else { return nil }
    return "the payment token isn't one of the sandbox's; send "
      + "\(SandboxToken.paid.rawValue) or another token of Docs/sandbox.md"
  }

  public func keepCard(_ card: CardDetails) async throws(ProcessorError) -> String {
    try SandboxCard.token(of: card)
  }

  public func authorize(_ payment: PaymentRequest) async throws(ProcessorError) -> PaymentOutcome {
    let outcome = state.withLock { state -> PaymentOutcome? in
      state.counters.requests += 1
      let outcome = state.outcome(of: payment)
      if outcome == nil { state.counters.unavailable += 1 }
      return outcome
    }
    guard let outcome else {
      throw ProcessorError(.unavailable, "the sandbox's processor plays dead for \(payment)")
    }
    return outcome
  }
}

extension SandboxProcessor.State {
  fileprivate mutating func outcome(of payment: PaymentRequest) -> PaymentOutcome? {
    switch SandboxToken(token: payment.token) {
    case .paid: return charge(payment)
    case .declined, nil: return .failed(.declined)
    case .cancelled: return .failed(.cancelled)
    case .needsApproval: return .needsApproval
    case .unavailable: return nil
    case .unavailableOnce:
      return interrupted.insert(payment.key) ? nil : charge(payment)
    case .replyLost:
      let outcome = charge(payment)
      return interrupted.insert(payment.key) ? nil : outcome
    }
  }

  private mutating func charge(_ payment: PaymentRequest) -> PaymentOutcome {
    if charged.insert(payment.key) { counters.charges += 1 }
    return .paid
  }
}

/// The last keys that were seen: at least `capacity`, at most twice as many.
struct RecentKeys: Sendable {
  private let capacity: Int
  private var young: Set<String> = []
  private var old: Set<String> = []

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// How many are remembered.
  var count: Int { young.count + old.count }

  /// Remembers a key; false: it was there already.
  mutating func insert(_ key: String) -> Bool {
    guard !young.contains(key), !old.contains(key) else { return false }
    if young.count >= capacity {
      old = young
      young = []
    }
    young.insert(key)
    return true
  }
}
