import LoadReporting

/// How a load is made: everything that a run needs to know but the connections themselves.
public struct LoadPlan: Sendable, Codable {
  /// Which connections resume an earlier TLS session.
  public enum Resumption: String, Sendable, CaseIterable, Codable {
    /// All but the first.
    case on

    /// None.
    case off

    /// Every other one.
    case both
  }

  /// What each client does.
  public var scenario: LoadScenario

  /// Connections, at least 1.
  public var connections = 64

  /// Calls under way on each connection, at least 1.
  public var inFlight = 1

  /// How long is measured; nil: until `callLimit` calls are made.
  public var duration: Duration? = .seconds(10)

  /// How long calls are made before anything is measured.
  public var warmup: Duration = .seconds(1)

  /// How many calls are made in the measured time; nil: as many as there is time for.
  public var callLimit: Int?

  /// How long a call may take.
  public var timeout: Duration = .seconds(10)

  /// The app that users sign in to.
  public var appID = "com.example.shop"

  /// The app's key, if it is registered with one.
  public var appKey: String?

  /// How many known users there are; for scenarios with returning users.
  public var users = 1000

  /// Identifiers of a product list; nil: 100 for `product-filter`, 10 for `purchase`.
  public var identifiersPerCall: Int?

  /// The share of identifiers that no catalogue has, for `product-filter`.
  public var unknownShare = 0.05

  /// What purchases are paid with.
  public var applePayToken = ""

  /// For `handshake`.
  public var resumption = Resumption.on

  /// All random choices follow from it.
  public var seed: UInt64 = 0

  /// The server's process on this machine, whose CPU time and memory are read; nil: unknown.
  public var serverProcess: Int32?

  /// A plan with the defaults.
  public init(scenario: LoadScenario) {
    self.scenario = scenario
  }

  /// The identifiers of one list.
  var listSize: Int { identifiersPerCall ?? (scenario == .purchase ? 10 : 100) }

  /// For the report.
  func members(loops: Int) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("model", .string("closed")),
      .init("connections", .integer(connections)),
      .init("in_flight", .integer(inFlight)),
      .init("loops", .integer(loops)),
      .init("warmup_seconds", .decimal(warmup.inSeconds)),
      .init("duration_seconds", .decimal(duration?.inSeconds)),
      .init("calls_limit", callLimit.map { .integer($0) } ?? .null),
      .init("timeout_seconds", .decimal(timeout.inSeconds)),
      .init("app", .string(appID)),
      .init("seed", .integer(seed)),
    ]
    if scenario.needsKnownUsers { members.append(.init("users", .integer(users))) }
    if scenario.needsProducts { members.append(.init("identifiers_per_call", .integer(listSize))) }
    if scenario == .productFilter {
      members.append(.init("unknown_share", .decimal(unknownShare)))
    }
    if scenario == .handshake { members.append(.init("resume", .string(resumption.rawValue))) }
    return members
  }
}

extension Duration {
  /// As seconds, with fractions.
  public var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// As whole nanoseconds, held at zero and at the largest.
  var inNanoseconds: UInt64 {
    let value = inSeconds * 1e9
    return value <= 0 ? 0 : value >= 9e18 ? 9_000_000_000_000_000_000 : UInt64(value)
  }
}
