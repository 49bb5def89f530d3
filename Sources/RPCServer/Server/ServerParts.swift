import RPC
import RPCCore
import RPCTransport

/// What all of a server's connections share and never change.
final class ServerParts: Sendable {
  let table: MethodTable
  let configuration: ServerConfiguration
  /// What each connection announces and enforces.
  let connection: ConnectionConfiguration
  let inflater: Inflater
  let deadlines: DeadlineClamp
  /// A stream's credit is returned in steps of so many bytes.
  let creditStep: Int
  /// Where offloaded handlers run; without any it has no threads.
  let workers: WorkerExecutor

  init(_ table: MethodTable, _ configuration: ServerConfiguration) {
    self.table = table
    self.configuration = configuration
    var connection = configuration.connection
    connection.acceptedCompression = configuration.acceptsCompression ? [.zlib] : []
    self.connection = connection
    workers = WorkerExecutor(configuration.offload)
    creditStep = connection.streamWindow / 4
    deadlines = DeadlineClamp(configuration.deadlines)
    inflater = Inflater(
      messageLimit: connection.maximumMessageSize, ratioLimit: configuration.inflateRatioLimit)
  }

  /// The channel's limits: it tells of free room in time for the connection's own, and counts in
  /// the same window.
  var channelOptions: ChannelOptions {
    var options = configuration.channel
    options.idleRecordWindow = connection.abuse.window
    options.outputHighWater = min(
      options.outputHighWater, max(1, connection.outputHighWater - connection.fragmentSize))
    options.outputLowWater = min(options.outputLowWater, options.outputHighWater / 2)
    return options
  }
}
