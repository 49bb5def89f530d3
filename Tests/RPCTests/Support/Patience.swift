import RPC
import RPCClient
import RPCServer
import RPCTransport

/// Times for tests that aren't about time.
///
/// The defaults are for programs that get the processor when they need it. Tests run beside each
/// other, on busy machines, and with sanitizers that make them ten times slower. Whatever only has
/// to be long enough is as long as this, and what counts within a window counts within this one. A
/// test about a time says that time itself.
enum Patience {
  static let limit = Duration.seconds(1_800)
}

extension ServerConfiguration {
  /// The defaults, with patience.
  static var patient: ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.deadlines.fallback = Patience.limit
    configuration.connection.setupTimeout = Patience.limit
    configuration.connection.frameTimeout = Patience.limit
    configuration.connection.replyTimeout = Patience.limit
    configuration.connection.keepAlive.timeout = Patience.limit
    configuration.connection.abuse.window = Patience.limit
    configuration.channel = .patient
    return configuration
  }
}

extension ClientConfiguration {
  /// The defaults, with patience.
  static var patient: ClientConfiguration {
    var configuration = ClientConfiguration()
    configuration.defaultTimeout = Patience.limit
    configuration.connectTimeout = Patience.limit
    configuration.connection.setupTimeout = Patience.limit
    configuration.connection.keepAlive.timeout = Patience.limit
    configuration.connection.abuse.window = Patience.limit
    configuration.channel = .patient
    return configuration
  }
}

extension ChannelOptions {
  /// The defaults, with patience.
  static var patient: ChannelOptions {
    var options = ChannelOptions()
    options.handshakeTimeout = Patience.limit
    options.writeStallTimeout = Patience.limit
    return options
  }
}
