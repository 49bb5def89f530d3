import RPC
import RPCCore

/// One attempt at a call under a policy: sends the call's request and tells the call's outcome.
final class AttemptCall: OutgoingCall, @unchecked Sendable {
  /// How many attempts were made before.
  let number: Int
  private let call: OutgoingCall

  /// Let go of with the outcome, or when it doesn't count any more.
  private var owner: RepeatedCall?

  init(_ call: OutgoingCall, number: Int, owner: RepeatedCall) {
    self.call = call
    self.number = number
    self.owner = owner
    var options = call.options
    options.metadata = options.metadata.countingAttempts(number)
    super.init(call.method, options: options)
    deadline = call.deadline
  }

  /// Gives the attempt up; nobody hears of it any more. On the loop.
  func abandon() {
    owner = nil
    giveUp()
  }

  override func requestSize() -> Int { call.requestSize() }

  override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    call.encodeRequest(into: buffer)
  }

  override func succeeded(_ response: UnsafeRawBufferPointer, trailingMetadata: Metadata) {
    let owner = owner
    self.owner = nil
    owner?.attemptSucceeded(self, response, trailingMetadata)
  }

  override func failed(_ error: RPCError) {
    let owner = owner
    self.owner = nil
    owner?.attemptFailed(self, error)
  }
}
