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

  /// What becomes of the calls that are under way when the measured time is over.
  public enum AtEnd: String, Sendable, CaseIterable, Codable {
    /// They are waited for, each until its timeout at the latest, and their answers count.
    case wait

    /// The connections are closed at once; the calls count as unanswered.
    case close

    /// They are left alone: they count as unanswered, and nobody looks at what becomes of them.
    case ignore
  }

  /// What becomes of an open loop's calls that can't begin when they are to.
  public enum Overload: String, Sendable, CaseIterable, Codable {
    /// They wait for their turn, and their latency counts from when they were to begin.
    case queue

    /// They aren't made, and are counted as skipped.
    case skip
  }

  /// What each client does; of a mix, the first.
  public var scenario: LoadScenario

  /// The scenarios of a mix; empty: ``scenario`` alone.
  public var mix: [MixPart] = []

  /// Clients, at least 1, each with its own connection.
  public var connections = 64

  /// Connections of each client, at least 1.
  public var connectionsPerClient = 1

  /// After so many calls a client makes a new connection; nil: it keeps it.
  public var callsPerConnection: Int?

  /// Simulated clients on each connection, at least 1: each makes one call at a time. Of an open
  /// loop, those that a call finds free, or waits for.
  public var inFlight = 1

  /// The rates of an open loop, in the measured time; empty: a closed loop, in which each simulated
  /// client begins its next call when the one before has ended. Their durations together are
  /// ``duration``.
  public var stages: [LoadStage] = []

  /// How an open loop's calls are spread.
  public var spacing = ArrivalSchedule.Spacing.constant

  /// The most calls of an open loop that are under way at one time; nil: as many as there are
  /// simulated clients.
  public var maxInFlight: Int?

  /// What becomes of an open loop's calls beyond that.
  public var overload = Overload.queue

  /// How long each simulated client of a closed loop waits between two calls; nil: not at all.
  public var thinkTime: ThinkTime?

  /// What becomes of the calls that are under way when the measured time is over.
  public var atEnd = AtEnd.wait

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

  /// The share of identifiers that external profiles can't buy, for `product-filter`; nil: as they
  /// are in the pool.
  public var unsupportedShare: Double?

  /// Known users are drawn by Zipf's law with this exponent; nil: they come in turn.
  public var zipf: Double?

  /// The share of purchases that are made again with their key.
  public var repeatShare = 0.01

  /// The pauses between the steps of a journey, in nanoseconds; nil: none.
  public var stepPause: ClosedRange<UInt64>?

  /// Connections that `storm` makes at once, at least 1.
  public var burst = 100

  /// Streams that each simulated client of `watch` holds open, at least 1.
  public var watchers = 10

  /// Whether a sample of what the load did is looked at again afterwards.
  public var verifies = true

  /// Which calls ask the server how long it worked on them.
  public var serviceTime = ServiceTimeSampling.sampled

  /// What purchases are paid with.
  public var applePayToken = ""

  /// Which of the connections that are made while loading resume a TLS session.
  public var resumption = Resumption.on

  /// The share of them that does, from 0 to 1; nil: as ``resumption`` says.
  public var resumedShare: Double?

  /// All random choices follow from it.
  public var seed: UInt64 = 0

  /// Which of the calls of an open loop are this machine's, where several make it together: the
  /// first of so many, the second.
  public var slice = Slice()

  /// What the instants of an open loop follow from, where it isn't ``seed``: of several machines
  /// all have the same.
  public var scheduleSeed: UInt64?

  /// A machine's place among those that make a load together.
  public struct Slice: Sendable, Equatable, Codable {
    /// From 0.
    public var index = 0

    /// How many machines there are.
    public var count = 1

    /// The only one.
    public init() {}
  }

  /// The server's process on this machine, whose CPU time and memory are read; nil: unknown.
  public var serverProcess: Int32?

  /// A plan with the defaults.
  public init(scenario: LoadScenario) {
    self.scenario = scenario
  }

  /// The identifiers of one list.
  var listSize: Int { identifiersPerCall ?? (scenario.buys ? 10 : 100) }

  /// For the report.
  func members(loops: Int) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("model", .string(isOpenLoop ? "open" : "closed")),
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
    if scenario.makesConnections { members.append(.init("resume", .string(resumeText))) }
    return members + scenarioMembers + loopMembers
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
