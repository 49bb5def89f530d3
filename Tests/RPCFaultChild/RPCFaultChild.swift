import Glibc
import RPC
import RPCClient
import RPCProto
import RPCServer
import RPCServices
import RPCTransport
import SystemFaults

/// As `transport-fault-child`, a whole RPC server and client: each exchange is a new client that
/// makes one call and closes.
@main
struct RPCFaultChild {
  private let group: EventLoopGroup
  private let server: Server
  private let endpoint: Endpoint
  private let tls: ClientTLS

  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      FaultRuns.fail("usage: rpc-fault-child FOLDER")
    }
    do {
      let child = try RPCFaultChild(certificates: CommandLine.arguments[1])
      await FaultRuns.runAll(child.runExchange)
      _ = await child.server.drain(within: .seconds(5))
    } catch {
      FaultRuns.fail("\(error)")
    }
    exit(0)
  }

  private init(certificates folder: String) throws {
    group = try EventLoopGroup(loops: 2)
    var registry = MethodRegistry()
    registry.add(HealthService(services: []), authorization: HealthService.rules)
    server = try Server(registry, configuration: ServerConfiguration(), group: group)
    let tls = try ServerTLS(
      ServerTLS.Configuration(
        certificateFile: folder + "/server.pem", keyFile: folder + "/server.key",
        applicationProtocols: [RPCProtocol.name]))
    let listener = try server.listen(on: .host("127.0.0.1", port: 0), tls: tls)
    endpoint = .host("127.0.0.1", port: listener.localAddress.port)
    var configuration = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    configuration.trust = .file(folder + "/ca.pem")
    self.tls = try ClientTLS(configuration)
  }

  private func runExchange() async -> ExchangeOutcome {
    let client = RPCClient(to: endpoint, tls: tls, group: group)
    var outcome = ExchangeOutcome(error: nil)
    do throws(RPCError) {
      let response = try await RPCHealthClient(client).check(
        RPCHealthCheckRequest(), options: CallOptions(timeout: .seconds(20)))
      if response.status != .serving { FaultRuns.fail("a wrong answer: \(response)") }
    } catch {
      if error.code == .deadlineExceeded { FaultRuns.fail("nobody noticed: \(error)") }
      outcome.error = "\(error)"
    }
    await client.close()
    return outcome
  }
}
