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

  /// A customer's whole visit: as `purchase`, then log out, with pauses between the steps.
  case journey

  /// Streams of transactions are held open, and some of their users buy: each purchase has to come
  /// on its user's stream, once.
  case watch

  /// A new connection and a session on it.
  case handshake

  /// Many new connections at once, with a session on each.
  case storm

  /// Connections that do nothing for `--duration`; then one session on each shows that they live.
  case idle

  /// One line for `--help`.
  public var summary: String {
    switch self {
    case .sessionCreate: "a session for a new external user, each time another"
    case .sessionReturn: "a session for one of --users known users"
    case .productFilter: "--identifiers product identifiers, split by the service; external profile"
    case .purchase: "log in, list products, buy one with a sandbox token, finish"
    case .journey: "purchase, then log out, with --step-pause between the steps"
    case .watch: "--watchers open streams; one of their users buys, and the event has to come"
    case .storm: "--burst new connections at once, and a session on each; full or resumed"
    case .handshake: "a new TLS connection and a session on it; full or resumed"
    case .idle: "connections that stay idle for --duration, then one session on each"
    }
  }

  /// Whether the users' profiles have to be there before the load begins.
  var needsKnownUsers: Bool {
    switch self {
    case .sessionReturn, .purchase, .journey, .handshake, .storm, .idle: true
    case .sessionCreate, .productFilter, .watch: false
    }
  }

  /// Whether the scenario needs product identifiers.
  public var needsProducts: Bool { self == .productFilter || buys }

  /// Whether its clients buy something.
  var buys: Bool { self == .purchase || self == .journey || self == .watch }

  /// Whether its connections are made while loading.
  var makesConnections: Bool { self == .handshake || self == .storm }

  /// Whether it makes calls again and again, at a rate or mixed with those of other scenarios.
  public var canBePaced: Bool { self != .idle }

  /// Whether its clients have a connection before the load begins.
  var keepsConnections: Bool { !makesConnections }
}
