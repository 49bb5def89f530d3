import Logging
import OnsideServices
import RPCCore
import RPCServer
import RPCTransport

/// Writes what a server has counted to standard error, as one line of JSON whatever the log's
/// format is.
enum MetricsReport {
  /// Writes one line now.
  static func write(_ server: MarketplaceServer) {
    Logger.standardError(
      "{\"time\":\"\(LogInstant.now().utc)\",\"level\":\"info\",\"message\":\"metrics\","
        + "\"metrics\":\(server.metrics.json)}\n")
  }

  /// Writes one line after each interval, for as long as the loop runs. On the loop.
  static func write(_ server: MarketplaceServer, every interval: Duration, on loop: EventLoop) {
    loop.schedule(at: loop.now.advanced(by: interval)) {
      write(server)
      write(server, every: interval, on: loop)
    }
  }
}
