import RPC
import RPCCore

/// One connection of a pool, from its opening to its end, and what the pool knows about it.
final class PoolMember {
  let connection: ClientConnection
  let opened: MonotonicInstant

  /// When another connection is to take its place.
  let retireAt: MonotonicInstant

  /// Whether it counts among the connections to its address.
  var counts: Bool

  /// Another connection is to take its place, and hasn't been made yet.
  var isRetiring = false

  /// What its server said of itself last; true when it isn't asked.
  var isHealthy = true

  /// Whether its server has said anything of itself.
  var hasReported = false

  /// The task that asks the server.
  var healthTask: Task<Void, Never>?

  init(
    _ connection: ClientConnection, opened: MonotonicInstant, retireAt: MonotonicInstant,
    counts: Bool
  ) {
    self.connection = connection
    self.opened = opened
    self.retireAt = retireAt
    self.counts = counts
  }

  var target: Target { connection.target }

  /// Whether calls are under way other than a question for the server's health.
  var isBusy: Bool { connection.callCount > (healthTask == nil ? 0 : 1) }
}
