import RPCCore

/// Who may connect: how many in all and from one address, how many that haven't done their
/// handshake yet, and how many new ones a second.
///
/// A plain value with the clock as an argument. Above the first two limits a connection is refused;
/// above the others accepting waits, and what comes waits in the kernel's backlog, where it costs
/// nothing. With more than half of the handshakes under way, new ones get a quarter of the time,
/// so that silent peers make room soon.
struct ConnectionAdmission: Sendable {
  /// What becomes of a connection.
  enum Verdict: Equatable {
    /// It is taken; `isPressed`: its handshake has less time.
    case taken(isPressed: Bool)
    /// There are as many as allowed.
    case full
    /// Its address has as many as allowed.
    case addressFull
  }

  /// Whether the next connection may be accepted.
  enum Readiness: Equatable {
    case now
    /// Not before this instant: too many came in a second.
    case at(MonotonicInstant)
    /// Not before a handshake has ended.
    case afterHandshake
  }

  private let maximum: Int
  private let maximumPerAddress: Int
  private let maximumHandshakes: Int
  private var rate: TokenBucket
  /// Open connections by address; no entry is 0, so that it never outgrows the connections.
  private var addresses: [AddressGroup: Int] = [:]
  /// Connections that are open.
  private(set) var open = 0
  /// Those of them whose handshake isn't done.
  private(set) var handshaking = 0

  init(_ options: ListenerOptions) {
    maximum = options.maximumConnections
    maximumPerAddress = options.maximumConnectionsPerAddress
    maximumHandshakes = max(1, options.maximumHandshakes)
    rate = TokenBucket(rate: options.maximumHandshakesPerSecond)
  }

  /// How many addresses have connections.
  var addressCount: Int { addresses.count }

  /// Whether to accept now.
  func readiness(_ now: MonotonicInstant) -> Readiness {
    guard handshaking < maximumHandshakes else { return .afterHandshake }
    let next = rate.next(now)
    return next > now ? .at(next) : .now
  }

  /// Decides on a connection that was accepted. One that is taken has to be `ended`.
  mutating func accept(_ peer: SocketAddress, now: MonotonicInstant) -> Verdict {
    guard open < maximum else { return .full }
    let group = AddressGroup(peer)
    let count = group.map { addresses[$0, default: 0] } ?? 0
    guard count < maximumPerAddress else { return .addressFull }
    if let group { addresses[group] = count + 1 }
    rate.take(now)
    open += 1
    handshaking += 1
    return .taken(isPressed: handshaking > maximumHandshakes / 2)
  }

  /// A handshake is done, or has failed.
  mutating func handshakeEnded() {
    handshaking -= 1
  }

  /// A connection's descriptor is closed.
  mutating func ended(_ peer: SocketAddress) {
    open -= 1
    guard let group = AddressGroup(peer), let count = addresses[group] else { return }
    addresses[group] = count > 1 ? count - 1 : nil
  }
}

/// What counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, of which a
/// single host has all the rest.
struct AddressGroup: Hashable, Sendable {
  private let isVersion6: Bool
  private let bits: UInt64

  /// Nil for a Unix socket's peer: it has no address.
  init?(_ address: SocketAddress) {
    switch address {
    case .ipv4(let address, _):
      (isVersion6, bits) = (false, UInt64(address))
    case .ipv6(0, let low, _, _) where low >> 32 == 0xFFFF:
      // An IPv4 peer of a socket that takes both.
      (isVersion6, bits) = (false, low & 0xFFFF_FFFF)
    case .ipv6(let high, _, _, _):
      (isVersion6, bits) = (true, high)
    case .unix:
      return nil
    }
  }
}
