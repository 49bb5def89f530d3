/// Where in a call's life it failed.
public enum FailurePhase: String, Sendable, CaseIterable {
  case resolve, connect, tls, `protocol`

  /// The server answered with a status that isn't OK.
  case answer

  /// No answer came in time, or the connection was lost on the way.
  case call

  /// The answer was OK and wrong.
  case check
}

/// Counts failures by what they were, with the first messages of each.
///
/// The number of kinds is bounded, since a server can make up as many as it likes: those beyond the
/// bound are counted together.
public struct FailureTally: Sendable, Equatable {
  static let mostKinds = 64
  static let mostSamples = 3
  static let longestSample = 300

  /// What a failure was.
  public struct Kind: Hashable, Sendable {
    public var phase: FailurePhase

    /// The status' name: `UNAVAILABLE`.
    public var status: String

    /// The reason that the service gave with it; empty: none.
    public var reason: String

    public init(phase: FailurePhase, status: String, reason: String = "") {
      self.phase = phase
      self.status = status
      self.reason = reason
    }

    package static let other = Kind(phase: .call, status: "OTHER")
  }

  /// How often a kind came, and what its first messages were.
  public struct Entry: Sendable, Equatable {
    public var kind: Kind
    public var count: Int
    public var samples: [String]

    /// When the first came, in nanoseconds since the load began.
    public var first: UInt64 = 0

    /// When the last came, in nanoseconds since the load began.
    public var last: UInt64 = 0
  }

  /// In the order of their first occurrence.
  public private(set) var entries: [Entry] = []
  private var places: [Kind: Int] = [:]

  public init() {}

  /// A tally that has these; nil: a kind comes twice, or there are too many.
  init?(entries: [Entry]) {
    guard entries.count <= FailureTally.mostKinds + 1 else { return nil }
    for (place, entry) in entries.enumerated() {
      guard places.updateValue(place, forKey: entry.kind) == nil else { return nil }
    }
    self.entries = entries
  }

  /// All failures.
  public var total: Int { entries.reduce(0) { $0 + $1.count } }

  /// Adds a failure.
  ///
  /// - Parameter instant: when it came, in nanoseconds since the load began.
  public mutating func record(_ kind: Kind, _ message: String, at instant: UInt64 = 0) {
    add(kind, count: 1, samples: [message], first: instant, last: instant)
  }

  /// Adds what another tally has.
  public mutating func merge(_ other: FailureTally) {
    for entry in other.entries {
      add(
        entry.kind, count: entry.count, samples: entry.samples, first: entry.first,
        last: entry.last)
    }
  }

  private mutating func add(
    _ kind: Kind, count: Int, samples: [String], first: UInt64, last: UInt64
  ) {
    let place: Int
    if let known = places[kind] {
      place = known
    } else if entries.count < FailureTally.mostKinds || kind == .other {
      place = entries.count
      places[kind] = place
      entries.append(Entry(kind: kind, count: 0, samples: [], first: first, last: last))
    } else {
      return add(.other, count: count, samples: samples, first: first, last: last)
    }
    entries[place].count += count
    entries[place].first = min(entries[place].first, first)
    entries[place].last = max(entries[place].last, last)
    for sample in samples where entries[place].samples.count < FailureTally.mostSamples {
      let scalars = sample.unicodeScalars.prefix(FailureTally.longestSample)
      let cut = String(String.UnicodeScalarView(scalars))
      if !entries[place].samples.contains(cut) { entries[place].samples.append(cut) }
    }
  }
}
