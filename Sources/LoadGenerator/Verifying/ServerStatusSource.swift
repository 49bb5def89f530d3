public import OnsideProto
public import RPC
import RPCClient
public import RPCTransport

/// Where the state of the servers is asked for.
public protocol ServerStatusSource: Sendable {
  /// Each server as it is now, always in the same order.
  func statuses() async throws(RPCError) -> [GetServerStatusResponse]
}

/// Asks the `OperationsService` of each target, on a connection of its own with an administrator's
/// certificate.
public final class AdministratorStatus: ServerStatusSource {
  private let clients: [RPCClient]
  private let group: EventLoopGroup

  /// - Parameters:
  ///   - targets: where the servers are. One that is behind several addresses counts once.
  ///   - tls: whom to trust, and the administrator's certificate.
  ///   - timeout: how long an answer may take.
  /// - Throws: ``SetupError`` if a file can't be used, or there is no loop to be had.
  public init(
    targets: [LoadTarget], tls: ClientTLS.Configuration, timeout: Duration
  ) throws(SetupError) {
    do throws(SystemError) {
      // Of its own, so that the load's loops don't have to do with it.
      group = try EventLoopGroup(loops: 1)
    } catch {
      throw SetupError(.resources, "\(error)")
    }
    var configuration = ClientConfiguration()
    configuration.defaultTimeout = timeout
    configuration.connectTimeout = timeout
    var clients: [RPCClient] = []
    do throws(TLSConfigurationError) {
      let tls = try ClientTLS(tls)
      for target in targets {
        if let address = target.address { configuration.resolver = PinnedAddress(address: address) }
        clients.append(
          RPCClient(to: target.endpoint, tls: tls, group: group, configuration: configuration))
      }
    } catch {
      throw SetupError(.certificate, error.description)
    }
    self.clients = clients
  }

  public func statuses() async throws(RPCError) -> [GetServerStatusResponse] {
    var statuses: [GetServerStatusResponse] = []
    for client in clients {
      let status = try await OperationsServiceClient(client).getServerStatus(
        GetServerStatusRequest())
      let isKnown = statuses.contains { other in
        other.startedAtMs == status.startedAtMs && other.process?.pid == status.process?.pid
      }
      if !isKnown { statuses.append(status) }
    }
    return statuses
  }

  /// Closes the connections.
  public func close() async {
    for client in clients { await client.close() }
    await group.shutdown()
  }
}
