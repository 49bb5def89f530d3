import OnsideProto
import OnsideServices
import RPC

/// What an administrator's test has: a marketplace in process, whose every call comes with an
/// administrator's certificate.
enum SandboxFixture {
  static let certificate = PeerInfo.Certificate(
    subject: "CN=admin,O=Tests", alternativeNames: [],
    fingerprint: [UInt8](repeating: 0xAB, count: 32))

  static func make(
    _ configure: (inout MarketplaceConfiguration) -> Void = { _ in }
  ) async throws -> MarketplaceFixture {
    try await MarketplaceFixture(
      peer: PeerInfo(address: "192.0.2.1:40000", certificate: certificate)
    ) { configuration in
      _ = configuration.administrators.add(certificate.subject)
      configure(&configuration)
    }
  }
}

extension MarketplaceFixture {
  var sandbox: SandboxServiceClient { SandboxServiceClient(transport) }
  var analytics: AnalyticsServiceClient { AnalyticsServiceClient(transport) }

  /// Adds a fault rule.
  @discardableResult
  func addFault(
    _ method: String = "", skip: UInt32 = 0, count: UInt32 = 0, delay: UInt32 = 0,
    _ effect: FaultRule.Effect?, match: (inout FaultMatch) -> Void = { _ in }
  ) async throws(RPCError) -> FaultRule {
    var wanted = FaultMatch(method: method)
    match(&wanted)
    let rule = FaultRule(
      match: wanted, skip: skip, count: count, delayMs: delay, effect: effect)
    return try await sandbox.addFault(AddFaultRequest(rule: rule)).rule ?? FaultRule()
  }

  /// The fault rules.
  func faults() async throws(RPCError) -> [FaultRule] {
    try await sandbox.listFaults(ListFaultsRequest()).rules
  }
}

extension FaultRule.Effect {
  /// Answers UNAVAILABLE.
  static let unavailable = FaultRule.Effect.status(
    FaultStatus(code: 14, message: "as told", reason: "STORE_FAILED"))
}
