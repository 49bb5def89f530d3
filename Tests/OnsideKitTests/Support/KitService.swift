import Foundation
import Logging
import OnsideCatalogue
import OnsideClient
import OnsideProto
import OnsideServices
import RPC
import RPCClient
import RPCServer
import RPCTransport

/// The real service over TLS, in this process, with an administrator who can make it fail.
final class KitService: Sendable {
  static let app = "com.example.shop"

  static let catalogue = """
    {"format":"onside-catalogue/1","app":"com.example.shop","storefronts":[{"id":"DE-1",\
    "country":"DE"},{"country":"JP"}]}
    {"id":"coins","kind":"consumable","title":"Coins","prices":{"DE-1":"4.99","JP":"490"}}
    {"id":"no-ads","kind":"non-consumable","title":"No ads","prices":{"DE-1":"2.99","JP":"300"}}
    {"id":"club","kind":"subscription","title":"Club","prices":{"DE-1":"1.99"},"group":"club",\
    "period":"P1M"}

    """

  let folder: String
  let certificates: KitCertificates
  let sandbox: SandboxServiceClient

  /// Takes the payments.
  private let processor = SandboxProcessor()

  /// How many payments were taken.
  var charges: Int { processor.counters.charges }
  private let server: MarketplaceServer
  private let administrator: RPCClient
  private let group: EventLoopGroup

  var address: String { server.address }

  init() async throws {
    certificates = try await KitCertificates.shared.value
    folder = FileManager.default.temporaryDirectory.path + "/onside-kit-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let catalogue = folder + "/catalogue.jsonl"
    try Data(Self.catalogue.utf8).write(to: URL(fileURLWithPath: catalogue))
    var configuration = MarketplaceServerConfiguration(
      endpoint: .host("127.0.0.1", port: 0), tls: certificates.server,
      catalogue: [CatalogueSource(path: catalogue)], store: .memory)
    configuration.marketplace.processor = processor
    _ = configuration.marketplace.administrators.add(
      "CN=development administrator,O=Onside development")
    group = try EventLoopGroup(loops: 2)
    server = try await MarketplaceServer.start(
      configuration, group: group, log: Logger(level: .error, sink: { _ in }))
    administrator = RPCClient(
      to: try Endpoint(server.address), tls: try certificates.administrator(), group: group)
    sandbox = SandboxServiceClient(administrator)
  }

  /// Stops it.
  func stop() async {
    await administrator.close()
    _ = await server.drain(within: .seconds(10))
    await group.shutdown()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A way to the service that an app has.
  func connection(
    _ group: EventLoopGroup, _ configuration: ClientConfiguration = ClientConfiguration()
  ) throws -> RPCClient {
    RPCClient(
      to: try Endpoint(address), tls: certificates.client, group: group,
      configuration: configuration)
  }

  /// A device of its own.
  func client() -> OnsideClient {
    OnsideClient(invoker: administrator, configuration: .init(appID: Self.app))
  }

  /// From now on a method fails, so often; 0: until the rule is removed. By default with INTERNAL,
  /// after which nobody tries again.
  @discardableResult
  func fail(
    _ method: String, with code: StatusCode = .internal, count: UInt32 = 0
  ) async throws -> String {
    let status = FaultStatus(code: code.rawValue, message: "as told", reason: "")
    let rule = FaultRule(
      match: FaultMatch(method: method), count: count, effect: .status(status))
    return try await sandbox.addFault(AddFaultRequest(rule: rule)).rule?.faultID ?? ""
  }

  /// The connection of the next call of a method is cut before the call is run.
  func cut(_ method: String) async throws {
    let rule = FaultRule(
      match: FaultMatch(method: method), count: 1, effect: .cutConnection(true))
    _ = try await sandbox.addFault(AddFaultRequest(rule: rule))
  }

  /// From now on the calls of a method are counted; each waits a millisecond.
  func count(_ method: String) async throws -> String {
    let rule = FaultRule(match: FaultMatch(method: method), delayMs: 1)
    return try await sandbox.addFault(AddFaultRequest(rule: rule)).rule?.faultID ?? ""
  }

  /// From now on a method doesn't answer, for longer than any test takes.
  func hold(_ method: String) async throws -> String {
    let rule = FaultRule(match: FaultMatch(method: method), delayMs: 600_000)
    return try await sandbox.addFault(AddFaultRequest(rule: rule)).rule?.faultID ?? ""
  }

  /// How many calls a rule has met.
  func matched(_ faultID: String) async throws -> UInt64 {
    let rules = try await sandbox.listFaults(ListFaultsRequest()).rules
    return rules.first { $0.faultID == faultID }?.matched ?? 0
  }
}
