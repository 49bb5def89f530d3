import OnsideDomain
import OnsideStore
import RPC

/// One watching call, as the rest of the server sees it: something to wake and to end.
final class Watch: Sendable {
  /// Why a watch ends that its caller didn't end.
  enum End: Sendable, Hashable {
    case sessionEnded
    case sessionExpired
    case draining

    /// What the caller is told.
    var error: RPCError {
      switch self {
      case .sessionEnded: RPCError(refusedSession: .sessionEnded)
      case .sessionExpired: RPCError(refusedSession: .sessionExpired)
      case .draining:
        RPCError(.unavailable, "the server is stopping; watch again from the last cursor")
      }
    }
  }

  let claims: SessionClaims

  /// Has an element when the store may have new events; several of these count once, so that
  /// nothing piles up for a slow watcher.
  let changes: AsyncStream<Void>

  /// Has an element when the watch is over.
  let ends: AsyncStream<End>

  private let change: AsyncStream<Void>.Continuation
  private let over: AsyncStream<End>.Continuation

  init(_ claims: SessionClaims) {
    self.claims = claims
    (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (ends, over) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// There may be new events.
  func wake() { change.yield() }

  /// The watch is over. The first reason counts.
  func end(_ end: End) { over.yield(end) }
}
