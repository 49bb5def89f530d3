import RPC
import RPCCore

/// Whoever made a connection and gives it calls. All on the connection's loop.
protocol ConnectionOwner: AnyObject, Sendable {
  /// What its connections count in.
  var counters: ClientCounters { get }

  /// The handshake is done: calls may be opened.
  func connectionOpened(_ connection: ClientConnection)

  /// There may be room for calls that wait.
  func connectionHasRoom(_ connection: ClientConnection)

  /// The server takes no new calls on this connection.
  func connectionDrains(_ connection: ClientConnection)

  /// The server certainly never started this call: it may be opened elsewhere.
  func connection(_ connection: ClientConnection, refused call: OutgoingCall)

  /// It is over; its calls have been told.
  func connectionEnded(_ connection: ClientConnection, _ reason: String)
}
