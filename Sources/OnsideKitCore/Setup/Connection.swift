import OnsideClient
import RPC
import RPCClient
import RPCTransport

/// The way to the service, which lives as long as the library is in use.
struct Connection: Sendable {
  let client: RPCClient
  private let group: EventLoopGroup

  /// A way that is made with the first call.
  init(_ configuration: OnsideConfiguration) throws(OnsideConfigurationError) {
    let (endpoint, tls) = (try Self.endpoint(configuration), try Self.trust(configuration))
    do {
      group = try EventLoopGroup(loops: 1)
    } catch {
      throw OnsideConfigurationError("no event loop can be made: \(error)")
    }
    var calls = ClientConfiguration()
    calls.policies = .marketplace
    client = RPCClient(to: endpoint, tls: tls, group: group, configuration: calls)
  }

  private static func endpoint(
    _ configuration: OnsideConfiguration
  ) throws(OnsideConfigurationError) -> Endpoint {
    do {
      return try Endpoint(configuration.service)
    } catch {
      throw OnsideConfigurationError("the service \"\(configuration.service)\": \(error)")
    }
  }

  private static func trust(
    _ configuration: OnsideConfiguration
  ) throws(OnsideConfigurationError) -> ClientTLS {
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    if let file = configuration.caFile { tls.trust = .file(file) }
    tls.certificateFile = configuration.clientCertificateFile
    tls.keyFile = configuration.clientKeyFile
    do {
      return try ClientTLS(tls)
    } catch {
      throw OnsideConfigurationError("the certificates can't be used: \(error)")
    }
  }

  /// Closes the connections and ends the loop.
  func close() async {
    await client.close()
    await group.shutdown()
  }
}
