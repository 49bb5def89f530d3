/// What a simulated client does again and again.
public enum LoadScenario: String, Sendable, CaseIterable, Codable {
  /// A session for an external user that the service hasn't seen yet.
  case sessionCreate = "session-create"

  /// A session for a user whose profile is there already.
  case sessionReturn = "session-return"

  /// One list of products for an external profile, which is signed in once per connection.
  case productFilter = "product-filter"

  /// Log in, list products, buy one with a sandbox token, finish the transaction.
  case purchase

  /// A new connection and a session on it.
  case handshake

  /// Connections that do nothing for `--duration`; then one session on each shows that they live.
  case idle

  /// One line for `--help`.
  public var summary: String {
    switch self {
    case .sessionCreate: "a session for a new external user, each time another"
    case .sessionReturn: "a session for one of --users known users"
    case .productFilter: "--identifiers product identifiers, split by the service; external profile"
    case .purchase: "log in, list products, buy one with a sandbox token, finish"
    case .handshake: "a new TLS connection and a session on it; full or resumed"
    case .idle: "connections that stay idle for --duration, then one session on each"
    }
  }

  /// Whether the users' profiles have to be there before the load begins.
  var needsKnownUsers: Bool {
    switch self {
    case .sessionReturn, .purchase, .handshake, .idle: true
    case .sessionCreate, .productFilter: false
    }
  }

  /// Whether the scenario needs product identifiers.
  public var needsProducts: Bool { self == .productFilter || self == .purchase }

  /// Whether it makes calls again and again, at a rate or mixed with those of other scenarios.
  public var canBePaced: Bool { self != .idle }

  /// Whether its clients have a connection before the load begins.
  var keepsConnections: Bool { self != .handshake }
}
