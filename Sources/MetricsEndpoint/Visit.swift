/// One connection to a ``MetricsEndpoint``, as a state machine: bytes and instants go in, what to
/// do next comes out. A visit takes a bounded time, whatever the visitor does.
struct Visit {
  /// What it waits for.
  enum Phase: Equatable {
    /// The rest of the request.
    case reading

    /// The socket to take the rest of the answer.
    case writing

    /// The visitor to close: until then what it still sends is read and dropped, since closing a
    /// socket with unread input would destroy the answer on its way.
    case leaving

    /// Nothing: it is to be closed.
    case over
  }

  /// How long request and answer may take, and the goodbye, in nanoseconds.
  static let patience: UInt64 = 5_000_000_000
  static let goodbye: UInt64 = 1_000_000_000

  /// What is dropped of a visitor that doesn't stop sending, in bytes.
  static let mostDropped = 1 << 18

  private(set) var phase = Phase.reading

  /// When it ends at the latest.
  private(set) var deadline: UInt64

  /// What of the answer hasn't been taken by the socket.
  private(set) var unsent: ArraySlice<UInt8> = []

  private var received: [UInt8] = []
  private var dropped = 0

  init(now: UInt64) {
    deadline = now &+ Visit.patience
  }

  /// Bytes have come.
  ///
  /// - Parameter answer: gives the answer to a whole request.
  mutating func received(_ bytes: ArraySlice<UInt8>, answer: (HTTPRequestHead) -> HTTPAnswer) {
    guard phase == .reading else {
      dropped += bytes.count
      if dropped > Visit.mostDropped { phase = .over }
      return
    }
    received += bytes
    switch HTTPRequestHead.read(received) {
    case .unfinished: break
    case .whole(let head): begin(answer(head))
    case .refused(let status): begin(HTTPAnswer(status))
    }
  }

  private mutating func begin(_ answer: HTTPAnswer) {
    received = []
    unsent = answer.bytes[...]
    phase = .writing
  }

  /// The socket has taken so many bytes.
  mutating func sent(_ count: Int, now: UInt64) {
    unsent = unsent.dropFirst(count)
    guard unsent.isEmpty else { return }
    phase = .leaving
    deadline = now &+ Visit.goodbye
  }

  /// The visitor sends no more; one that hasn't asked for anything gets nothing.
  mutating func visitorEnded() {
    if phase != .writing { phase = .over }
  }

  /// The connection is broken.
  mutating func broke() { phase = .over }

  /// Time goes by: who hasn't asked in time is told so.
  mutating func tick(now: UInt64) {
    guard now >= deadline, phase != .over else { return }
    guard phase == .reading, !received.isEmpty else {
      phase = .over
      return
    }
    begin(HTTPAnswer(.tooSlow))
    deadline = now &+ Visit.goodbye
  }
}
