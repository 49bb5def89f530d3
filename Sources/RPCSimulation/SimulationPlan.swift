import RPCCore

/// What a seed decides before the first step: limits of both sides, faults, and how often what
/// happens.
struct SimulationPlan {
  /// What the simulation can do in a step.
  enum Operation: CaseIterable {
    case open, clientSend, clientHalfClose, cancel, clientRead
    case serverSend, serverEnd, serverFail, serverRead, handlerReturns
    case deliverToServer, deliverToClient, advance, ping, drain, stall, cut
  }

  var client = ConnectionConfiguration()
  var server = ConnectionConfiguration()
  var weights: [(Operation, Int)] = []
  var steps = 0
  /// The longest message of this run, in bytes; most are far shorter.
  var largestMessage = 0
  /// The longest piece in which the pipe hands bytes over.
  var largestPiece = 0
  /// The longest delay of the pipe, in nanoseconds.
  var largestDelay = 0

  init(_ random: inout SeededRandom) {
    steps = random.number(50...400)
    largestMessage = random.chance(15) ? random.number(60_000...400_000) : random.number(0...5_000)
    largestPiece = random.pick([1, 7, 100, 1_500, 20_000, 200_000]) ?? 1
    // One byte at a time is for short messages: it takes a step each.
    if largestPiece < 100 { largestMessage = min(largestMessage, 300) }
    largestDelay = random.pick([0, 1_000_000, 50_000_000]) ?? 0
    client = SimulationPlan.configuration(&random, largestMessage)
    server = SimulationPlan.configuration(&random, largestMessage)
    if random.chance(5) {
      client.firstStream = StreamID(StreamID.last.rawValue - UInt32(random.number(0...10)) * 2)
    }
    weights = SimulationPlan.weights(&random)
  }

  private static func configuration(
    _ random: inout SeededRandom, _ largestMessage: Int
  ) -> ConnectionConfiguration {
    var configuration = ConnectionConfiguration()
    configuration.maximumConcurrentCalls = random.number(1...20)
    configuration.fragmentSize = random.number(1_000...20_000)
    configuration.outputHighWater = random.number(1...200_000)
    if random.chance(30) { configuration.streamWindow = random.number(65_536...200_000) }
    if random.chance(30) { configuration.connectionWindow = random.number(1_048_576...1_200_000) }
    // No more than one message: the case in which streams wait for each other.
    configuration.reassemblyBudget = random.chance(50) ? largestMessage : 4 * largestMessage
    configuration.maximumMessageSize = max(1, largestMessage)
    configuration.keepAlive.interval = random.chance(50) ? .seconds(random.number(1...30)) : nil
    configuration.keepAlive.timeout = .seconds(60)
    return configuration
  }

  /// Each run has its own habits: an operation may be frequent, rare or absent.
  private static func weights(_ random: inout SeededRandom) -> [(Operation, Int)] {
    Operation.allCases.map { operation in
      switch operation {
      case .cut, .drain: (operation, random.chance(20) ? 1 : 0)
      case .ping, .stall: (operation, random.number(0...3))
      case .cancel: (operation, random.number(0...8))
      case .deliverToServer, .deliverToClient: (operation, random.number(10...60))
      case .advance: (operation, random.number(1...20))
      default: (operation, random.number(2...30))
      }
    }
  }
}
