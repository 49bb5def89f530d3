import OnsideStore
import RPC

/// What a login that waits for something belongs to.
enum LoginTag: Sendable {}

/// Identifies a login that waits for a code: 128 random bits, which nobody can guess.
typealias LoginID = UniqueID<LoginTag>

/// Logins that wait for something, for a limited time and in bounded memory.
///
/// A full table must not keep anybody out, nor may whoever fills it push others' logins out: each
/// network holds a bounded number, and when all places are taken, the network that holds the most
/// gives up its oldest. A plain value with the clock as an argument.
struct PendingTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    let network: ClientNetwork
    let expiresAt: MonotonicInstant
  }

  private let capacity: Int
  private let networkCapacity: Int
  private var entries: [LoginID: Entry] = [:]

  /// All that were inserted, oldest first; some may be gone. Those before `head` are.
  private var order: [LoginID] = []
  private var head = 0

  /// What each network holds, oldest first, and which networks hold so many.
  private var byNetwork: [ClientNetwork: [LoginID]] = [:]
  private var networks: [Set<ClientNetwork>]
  private var heaviest = 0

  /// - Parameters:
  ///   - capacity: The most logins in all; at least 1.
  ///   - networkCapacity: The most logins of one network; at least 1.
  init(capacity: Int, networkCapacity: Int) {
    self.capacity = max(1, capacity)
    self.networkCapacity = min(max(1, networkCapacity), self.capacity)
    networks = Array(repeating: [], count: self.networkCapacity + 1)
  }

  /// How many logins are held, never more than the capacity.
  var count: Int { entries.count }

  /// Adds a login. All of a table live equally long: a later one never expires before it.
  mutating func insert(
    _ id: LoginID, _ value: Value, from network: ClientNetwork, expiresAt: MonotonicInstant,
    now: MonotonicInstant
  ) {
    removeExpired(now: now)
    if let own = byNetwork[network], own.count >= networkCapacity, let oldest = own.first {
      remove(oldest)
    } else if entries.count >= capacity, let other = networks[heaviest].first,
      let oldest = byNetwork[other]?.first
    {
      remove(oldest)
    }
    entries[id] = Entry(value: value, network: network, expiresAt: expiresAt)
    order.append(id)
    changeHoldings(of: network) { $0.append(id) }
    compactOrder()
  }

  /// The login of an identifier; nil: it never was, is over, or made room.
  func find(_ id: LoginID, now: MonotonicInstant) -> Value? {
    guard let entry = entries[id], now < entry.expiresAt else { return nil }
    return entry.value
  }

  /// Changes a login that is there.
  mutating func update(_ id: LoginID, _ change: (inout Value) -> Void) {
    guard var entry = entries[id] else { return }
    change(&entry.value)
    entries[id] = entry
  }

  /// Forgets a login.
  mutating func remove(_ id: LoginID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    changeHoldings(of: entry.network) { own in own.removeAll { $0 == id } }
  }

  /// The logins that aren't over, oldest first.
  func all(now: MonotonicInstant) -> [(id: LoginID, value: Value)] {
    order[head...].compactMap { id in find(id, now: now).map { (id, $0) } }
  }

  private mutating func removeExpired(now: MonotonicInstant) {
    while head < order.count {
      let id = order[head]
      if let entry = entries[id], now < entry.expiresAt { return }
      remove(id)
      head += 1
    }
  }

  /// Keeps the list of all from growing with logins that are gone.
  private mutating func compactOrder() {
    guard order.count >= 64, order.count > entries.count * 2 else { return }
    order = order[head...].filter { entries[$0] != nil }
    head = 0
  }

  private mutating func changeHoldings(
    of network: ClientNetwork, _ change: (inout [LoginID]) -> Void
  ) {
    var own = byNetwork[network] ?? []
    networks[own.count].remove(network)
    change(&own)
    byNetwork[network] = own.isEmpty ? nil : own
    if !own.isEmpty { networks[own.count].insert(network) }
    // The count changed by one, so the largest does by no more.
    if own.count > heaviest { heaviest = own.count }
    if heaviest > 0, networks[heaviest].isEmpty { heaviest -= 1 }
  }
}
