import Synchronization

/// One call on its way: what an invoker asks for the request's bytes, and tells the outcome.
///
/// An invoker calls the open functions on the loop of the call's connection, so that a request is
/// encoded straight into the connection's output and a response decoded straight from its input.
/// A call object may be started again after it has ended, for load generators that make none anew.
open class OutgoingCall: @unchecked Sendable {
  /// The method that is called.
  public final let method: MethodDescriptor

  /// Timeout and metadata. Changed only while the call isn't under way.
  @exclusivity(unchecked) public final var options: CallOptions

  /// True for an `OutgoingStream`.
  package final let isStream: Bool

  /// True for a call whose requests follow it.
  package final let hasManyRequests: Bool

  // For the invoker. Guarded by whatever guards the queue that the call is in, then by its loop.

  /// When the caller stops waiting.
  @exclusivity(unchecked) package final var deadline = MonotonicInstant(nanoseconds: .max)

  /// When the call that the caller works for has to be answered. Written before the call is
  /// started.
  @exclusivity(unchecked) package final var inheritedDeadline = MonotonicInstant.distantFuture

  /// The call's stream, while it is on a connection; 0: none.
  @exclusivity(unchecked) package final var stream: UInt32 = 0

  /// How often the call was put on a connection.
  @exclusivity(unchecked) package final var attempts = 0

  /// Where the call begins in the output of its connection, in bytes since the connection began.
  @exclusivity(unchecked) package final var outputPosition: UInt64 = 0

  /// False once a request has been sent that can't be sent a second time: a server's word that it
  /// never started the call is then the call's end.
  @exclusivity(unchecked) package final var canBeSentAgain = true

  /// The server's initial metadata, when it has come.
  @exclusivity(unchecked) package final var initialMetadata: Metadata?

  /// When the call was put on its connection; of the loop's pass.
  @exclusivity(unchecked) package final var openedAt = MonotonicInstant(nanoseconds: 0)

  /// When the first of its answer came before the end of it; nil: all came together.
  @exclusivity(unchecked) package final var firstByteAt: MonotonicInstant?

  /// True when the response came compressed. Written before it is delivered.
  @exclusivity(unchecked) package final var isResponseCompressed = false

  /// A response that came before the call's end.
  @exclusivity(unchecked) package final var heldResponse: HeldResponse?

  /// A response in memory of its own.
  package struct HeldResponse {
    package var bytes: [UInt8]
    package var isCompressed: Bool

    package init(_ bytes: [UInt8], _ isCompressed: Bool) {
      self.bytes = bytes
      self.isCompressed = isCompressed
    }
  }

  /// Whether the call is under way, and whether it was given up.
  private final let phase = Atomic<UInt8>(Phase.idle)

  /// Where to go with a cancellation. Written before `phase` says that the call is under way.
  @exclusivity(unchecked) private final var canceller: (any CallCanceller)?

  private enum Phase {
    static let idle: UInt8 = 0
    static let underWay: UInt8 = 1
    static let cancelled: UInt8 = 2
  }

  /// Makes a call, which isn't started.
  public init(_ method: MethodDescriptor, options: CallOptions = CallOptions()) {
    self.method = method
    self.options = options
    isStream = false
    hasManyRequests = false
  }

  /// Makes a call with streams, which isn't started.
  init(stream method: MethodDescriptor, options: CallOptions) {
    self.method = method
    self.options = options
    isStream = true
    hasManyRequests = method.shape.hasManyRequests
  }

  /// The answer is here, and comes next but for others: a chance to ask memory for what it takes.
  /// Where answers come in batches, waiting for memory is much of what a call costs.
  open func prefetch() {}

  /// How many bytes the encoded request has. Asked before each `encodeRequest`.
  open func requestSize() -> Int { 0 }

  /// Writes the encoded request: all of the buffer, which has the size that was told.
  open func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {}

  /// The call was answered with a response. The bytes are borrowed: gone when this returns.
  ///
  /// It must not block.
  open func succeeded(_ response: UnsafeRawBufferPointer, trailingMetadata: Metadata) {}

  /// The call ended with an error. It must not block.
  open func failed(_ error: RPCError) {}
}

/// Where a call under way is given up.
package protocol CallCanceller: AnyObject, Sendable {
  /// Ends the call with CANCELLED unless it has ended; from any thread.
  func cancel(_ call: OutgoingCall)
}

extension OutgoingCall {
  /// The call is under way from now on.
  ///
  /// - Returns: False when it was given up before: it has to be failed with CANCELLED.
  package final func begin(_ canceller: any CallCanceller) -> Bool {
    stream = 0
    attempts = 0
    if initialMetadata != nil { initialMetadata = nil }
    if heldResponse != nil { heldResponse = nil }
    if firstByteAt != nil { firstByteAt = nil }
    if isResponseCompressed { isResponseCompressed = false }
    if self.canceller !== canceller { self.canceller = canceller }
    return phase.compareExchange(
      expected: Phase.idle, desired: Phase.underWay, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The call has ended and may be started again.
  package final func finish() {
    phase.store(Phase.idle, ordering: .releasing)
  }

  /// Gives the call up, wherever it is.
  package final func giveUp() {
    let old = phase.exchange(Phase.cancelled, ordering: .acquiringAndReleasing)
    if old == Phase.underWay { canceller?.cancel(self) }
  }

  /// What a call ends with that was given up.
  package static let givenUp = RPCError(
    .cancelled, "the caller cancelled the call", phase: .sent)
}
