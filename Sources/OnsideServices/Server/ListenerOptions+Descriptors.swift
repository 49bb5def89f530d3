import Logging
import RPCTransport

extension ListenerOptions {
  /// The options with no more connections than the process has file descriptors for.
  ///
  /// - Parameters:
  ///   - descriptors: The limit of open files.
  ///   - loops: How many event loops there are.
  ///   - log: Told when it is fewer than configured.
  /// - Throws: `StartError` when there is no room for a single one.
  func fitting(
    descriptors: Int, loops: Int, _ log: Logger
  ) throws(StartError) -> ListenerOptions {
    let room = DescriptorLimit.connections(within: descriptors, loops: loops)
    guard room > 0 else {
      throw StartError(
        .resources,
        "the limit of \(descriptors) open files leaves none for connections; raise it (ulimit -n)")
    }
    guard room < maximumConnections else { return self }
    log.warning(
      "fewer connections than configured: the limit of open files is too low (ulimit -n)",
      [
        "descriptors": .count(descriptors), "configured": .count(maximumConnections),
        "connections": .count(room),
      ])
    var options = self
    options.maximumConnections = room
    return options
  }
}
