public import OnsideDomain
import Synchronization

/// A gateway that sends nothing: it keeps the messages for whoever controls the sandbox.
public final class SandboxPhoneGateway: PhoneGateway {
  private struct State {
    /// Oldest first.
    var messages: [PhoneMessage] = []
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// A gateway that keeps at least the last `capacity` messages.
  public init(capacity: Int = 65_536) {
    self.capacity = max(1, capacity)
  }

  public func send(_ message: PhoneMessage) async throws(PhoneGatewayError) {
    state.withLock { state in
      state.messages.append(message)
      if state.messages.count >= capacity * 2 { state.messages.removeFirst(capacity) }
    }
  }

  /// What was sent to a number, newest first.
  public func messages(to number: PhoneNumber) -> [PhoneMessage] {
    state.withLock { $0.messages.filter { $0.number == number } }.reversed()
  }
}
