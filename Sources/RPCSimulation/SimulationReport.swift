/// What went wrong in a run, and how to see it again.
public struct SimulationFailure: Error, Sendable, CustomStringConvertible {
  /// The run: its seed, or the length of its script.
  public let run: String
  /// The step in which it was noticed.
  public let step: Int
  /// What is wrong.
  public let text: String

  /// One line.
  public var description: String { "\(run), step \(step): \(text)" }
}

/// What happened in a run, added up. A test can see from it that everything did happen: a simulator
/// in which nothing goes wrong shows nothing.
public struct SimulationReport: Sendable, Equatable {
  /// Steps.
  public var steps = 0
  /// Connections that were used.
  public var connections = 0
  /// Messages that arrived whole.
  public var messages = 0
  /// Calls that were opened, by shape: in the order of `CallShape`'s cases.
  public var opened = [0, 0, 0, 0]
  /// Calls that ended with OK.
  public var succeeded = 0
  /// Calls that ended with an error of their handler.
  public var failed = 0
  /// Calls that the server said it hadn't started.
  public var notStarted = 0
  /// Calls that the client cancelled.
  public var cancelled = 0
  /// Calls whose deadline passed at the client.
  public var expired = 0
  /// Calls whose deadline passed at the server.
  public var expiredOnServer = 0
  /// Calls that ended with their connection.
  public var lost = 0
  /// Messages that arrived with the mark of a compressed one.
  public var compressed = 0
  /// Messages that arrived and are longer than the default window of a stream.
  public var longMessages = 0
  /// Frames that were dropped because their stream was over.
  public var lateFrames = 0
  /// PINGs that were answered.
  public var pongs = 0
  /// Connections that were drained to their end.
  public var drained = 0
  /// Connections that one side closed.
  public var closed = 0
  /// Connections on which a side gave up a silent peer.
  public var silent = 0

  /// Nothing happened yet.
  public init() {}

  /// Calls that were opened.
  public var calls: Int { opened.reduce(0, +) }

  /// Adds another run.
  public static func += (left: inout SimulationReport, right: SimulationReport) {
    for field in fields { left[keyPath: field.path] += right[keyPath: field.path] }
    for shape in left.opened.indices { left.opened[shape] += right.opened[shape] }
  }

  private static var fields: [(name: String, path: WritableKeyPath<SimulationReport, Int>)] {
    [
      ("steps", \.steps),
      ("connections", \.connections),
      ("messages", \.messages),
      ("succeeded", \.succeeded),
      ("failed", \.failed),
      ("not started", \.notStarted),
      ("cancelled", \.cancelled),
      ("expired", \.expired),
      ("expired on the server", \.expiredOnServer),
      ("lost", \.lost),
      ("compressed", \.compressed),
      ("longer than a window", \.longMessages),
      ("late frames", \.lateFrames),
      ("pongs", \.pongs),
      ("drained", \.drained),
      ("closed", \.closed),
      ("silent", \.silent),
    ]
  }

  /// Every count with its name.
  public var counts: [(name: String, count: Int)] {
    zip(CallShape.allCases, opened).map { ("\($0)", $1) }
      + SimulationReport.fields.map { ($0.name, self[keyPath: $0.path]) }
  }
}
