import RPCCore

/// What a seed decides before the first step: limits of both sides, faults, and how often what
/// happens.
struct SimulationPlan {
  /// What the simulation can do in a step.
  enum Operation: CaseIterable {
    case open, clientSend, clientHalfClose, cancel, clientRead
    case serverSend, serverEnd, serverFail, serverRead, handlerReturns
    case deliverToServer, deliverToClient, advance, pause, ping, drain
    case stall, silence, close, cut
  }

  var client = ConnectionConfiguration()
  var server = ConnectionConfiguration()
  var weights: [(operation: Operation, weight: Int)] = []
  var steps = 0
  /// The longest message of this run, in bytes; most are far shorter.
  var largestMessage = 0
  /// The most messages of one direction of a streaming call.
  var longestStream = 0
  /// Messages marked as compressed, of 100.
  var compressed = 0
  /// The longest piece in which the pipe hands bytes over.
  var largestPiece = 0
  /// The longest delay of the pipe, in nanoseconds.
  var largestDelay = 0
  /// Both sides send all they have, in both directions, and read only when the faults stop.
  var isFullSpeed = false
  /// Both sides send on, into memory, when they are told to wait.
  var ignoresBackPressure = false

  init(_ decisions: inout DecisionSource) {
    steps = decisions.number(50...400)
    largestMessage = SimulationPlan.largestMessage(&decisions)
    longestStream = decisions.pick([1, 6, 6, 30]) ?? 1
    compressed = decisions.pick([0, 50]) ?? 0
    largestPiece = decisions.pick([1, 7, 100, 1_500, 20_000, 200_000]) ?? 1
    isFullSpeed = decisions.chance(3)
    ignoresBackPressure = decisions.chance(10)
    // One byte at a time is for short messages: it takes a step each.
    if largestPiece < 100 { largestMessage = min(largestMessage, 300) }
    if largestMessage > 400_000 {
      longestStream = min(longestStream, 6)
      steps = min(steps, 100)
    }
    largestDelay = decisions.pick([0, 0, 1_000_000, 50_000_000]) ?? 0
    client = SimulationPlan.configuration(&decisions, largestMessage)
    server = SimulationPlan.configuration(&decisions, largestMessage)
    if decisions.chance(5) {
      let left = UInt32(decisions.number(0...10)) * 2
      client.firstStream = StreamID(StreamID.last.rawValue - left)
    }
    weights = SimulationPlan.weights(&decisions, isFullSpeed)
  }

  /// Mostly short, some beyond a stream's window (64 KiB), a few beyond the connection's (1 MiB).
  private static func largestMessage(_ decisions: inout DecisionSource) -> Int {
    switch decisions.number(0...99) {
    case 0: decisions.number(1_100_000...3_000_000)
    case 1...15: decisions.number(60_000...400_000)
    default: decisions.number(0...5_000)
    }
  }

  private static func configuration(
    _ decisions: inout DecisionSource, _ largestMessage: Int
  ) -> ConnectionConfiguration {
    var configuration = ConnectionConfiguration()
    configuration.maximumConcurrentCalls = decisions.number(1...20)
    configuration.fragmentSize = decisions.number(1_000...20_000)
    configuration.outputHighWater = decisions.number(1...200_000)
    if decisions.chance(30) { configuration.streamWindow = decisions.number(65_536...200_000) }
    if decisions.chance(30) {
      configuration.connectionWindow = decisions.number(1_048_576...1_200_000)
    }
    // No more than one message: the case in which streams wait for each other.
    configuration.reassemblyBudget = decisions.chance(50) ? largestMessage : 4 * largestMessage
    configuration.maximumMessageSize = max(1, largestMessage)
    configuration.keepAlive.interval =
      decisions.chance(50) ? .seconds(decisions.number(1...10)) : nil
    configuration.keepAlive.timeout = .seconds(decisions.number(1...20))
    configuration.keepAlive.minimumPeerInterval = .seconds(decisions.number(0...10))
    if decisions.chance(70) { configuration.acceptedCompression = [.zlib] }
    // Nothing that an honest side does is counted here, however it is delayed.
    configuration.abuse.lateFrames = 0
    configuration.abuse.controlFrames = 200
    // These are bounded by the steps of a run, and have tests of their own.
    configuration.abuse.cancels = 100_000
    configuration.abuse.pings = 100_000
    return configuration
  }

  /// Each run has its own habits: an operation may be frequent, rare or absent.
  private static func weights(
    _ decisions: inout DecisionSource, _ isFullSpeed: Bool
  ) -> [(operation: Operation, weight: Int)] {
    Operation.allCases.map { operation in
      switch operation {
      case .clientRead, .serverRead, .cancel, .serverFail, .cut, .silence, .close:
        if isFullSpeed { return (operation, 0) }
      default: break
      }
      switch operation {
      case .cut, .drain: return (operation, decisions.chance(20) ? 1 : 0)
      case .pause: return (operation, decisions.chance(15) ? 1 : 0)
      case .silence, .close: return (operation, decisions.chance(8) ? 1 : 0)
      case .ping, .stall, .serverFail: return (operation, decisions.number(0...3))
      case .cancel: return (operation, decisions.number(0...8))
      case .deliverToServer, .deliverToClient: return (operation, decisions.number(10...60))
      case .advance: return (operation, decisions.number(1...20))
      default: return (operation, decisions.number(2...30))
      }
    }
  }
}
