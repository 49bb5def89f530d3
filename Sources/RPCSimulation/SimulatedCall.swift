import RPCCore

/// What the simulation knows about one call, apart from the two cores: what was meant to happen and
/// how far it got.
struct SimulatedCall {
  /// How the client's side of a call came to its end.
  enum Outcome: Equatable {
    case ended(StatusCode, isNotStarted: Bool)
    case cancelled
    case expired
    case failed
    case lost
  }

  /// Sizes of the messages of each direction.
  let requests: [Int]
  let responses: [Int]
  /// The last response comes with the END.
  let endsWithMessage: Bool
  let isUnary: Bool

  // The client's side.
  var requestsSent = 0
  var isHalfClosed = false
  var clientAwaitsWritable = false
  var responsesReceived = 0
  var clientInbox: [Int] = []
  var outcome: Outcome?
  /// The status that the server's END will carry, once it is decided.
  var status: StatusCode?

  // The server's side.
  var isOnServer = false
  var requestsReceived = 0
  var sawHalfClose = false
  var serverInbox: [Int] = []
  var serverAwaitsWritable = false
  var responsesSent = 0
  var hasSentHeaders = false
  var hasServerEnded = false
  var hasHandlerReturned = false

  init(_ random: inout SeededRandom, _ plan: SimulationPlan) {
    func size(_ random: inout SeededRandom) -> Int {
      let limit = random.chance(70) ? min(300, plan.largestMessage) : plan.largestMessage
      return random.number(0...limit)
    }
    isUnary = random.chance(50)
    let requestCount = isUnary ? 1 : random.number(0...6)
    let responseCount = isUnary ? 1 : random.number(0...6)
    requests = (0..<requestCount).map { _ in size(&random) }
    responses = (0..<responseCount).map { _ in size(&random) }
    endsWithMessage = responseCount > 0 && (isUnary || random.chance(30))
  }
}

/// The bytes of the simulation's messages: each is different, so that one that is lost, doubled,
/// reordered or mixed up shows.
enum SimulatedMessage {
  private static func first(_ stream: StreamID, _ index: Int, isRequest: Bool) -> Int {
    Int(stream.rawValue) &* 131 &+ index &* 17 &+ (isRequest ? 0 : 101)
  }

  static func write(
    _ stream: StreamID, _ index: Int, isRequest: Bool, to room: UnsafeMutableRawBufferPointer
  ) -> Int {
    let first = first(stream, index, isRequest: isRequest)
    for offset in room.indices { room[offset] = UInt8(truncatingIfNeeded: first &+ offset) }
    return room.count
  }

  static func isRight(
    _ stream: StreamID, _ index: Int, isRequest: Bool, _ bytes: RawSpan
  ) -> Bool {
    let first = first(stream, index, isRequest: isRequest)
    return bytes.withUnsafeBytes { bytes in
      var difference: UInt8 = 0
      for offset in bytes.indices {
        difference |= bytes[offset] ^ UInt8(truncatingIfNeeded: first &+ offset)
      }
      return difference == 0
    }
  }
}
