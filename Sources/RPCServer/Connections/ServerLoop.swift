import RPC
import RPCTransport

/// A server's connections on one event loop. Confined to that loop, but for the counters.
final class ServerLoop: @unchecked Sendable {
  let loop: EventLoop
  let parts: ServerParts
  let counters: LoopCounters

  private(set) var isDraining = false
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var onEmpty: [@Sendable () -> Void] = []

  init(_ loop: EventLoop, _ parts: ServerParts) {
    self.loop = loop
    self.parts = parts
    counters = LoopCounters(parts.table.methods)
  }

  func add(_ connection: ServerConnection) {
    connections[ObjectIdentifier(connection)] = connection
    counters.acceptedConnections.add(1)
    counters.openConnections.add(1)
  }

  func remove(_ connection: ServerConnection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    counters.openConnections.add(-1)
    tellIfEmpty()
  }

  /// Tells every client to make its further calls elsewhere, now and as they come.
  ///
  /// - Parameter completion: Called on the loop when the last connection has ended.
  func drain(_ completion: @escaping @Sendable () -> Void) {
    isDraining = true
    onEmpty.append(completion)
    for connection in connections.values { connection.drain() }
    tellIfEmpty()
  }

  /// Ends the connections that are left; their calls are lost.
  func closeAll() {
    for connection in connections.values { connection.close(.goingAway, "the server stops") }
  }

  private func tellIfEmpty() {
    guard isDraining, connections.isEmpty else { return }
    let waiting = onEmpty
    onEmpty = []
    for completion in waiting { completion() }
  }
}
