import RPC
import RPCClient
public import RPCTransport

/// Finds out which addresses of a name can be used.
///
/// `localhost` often has an address of IPv6 and a server that listens on the one of IPv4 only. Half
/// of a load would fail for that, so such an address is left out, with a remark. Only names are
/// looked at that have several addresses: what was named by itself is meant.
public struct TargetProbe: Sendable {
  /// What is left, at least one.
  public private(set) var targets: [LoadTarget]

  /// What was left out, for people.
  public private(set) var remarks: [String] = []

  /// Connects once to each address of a name that has several.
  ///
  /// - Parameters:
  ///   - targets: as ``TargetList/resolve(with:)`` gives them.
  ///   - tls: whom to trust, and what to come with.
  ///   - timeout: how long a connection may take.
  public init(
    _ targets: [LoadTarget], tls: ClientTLS, group: EventLoopGroup, timeout: Duration
  ) async {
    let names = Dictionary(grouping: targets, by: \.endpoint)
    self.targets = []
    for target in targets {
      guard let others = names[target.endpoint], others.count > 1,
        let reason = await Self.refusal(target, tls, group, timeout)
      else {
        self.targets.append(target)
        continue
      }
      remarks.append("\(target) is left out: \(reason)")
    }
    // Nothing answers: what there is to say about it is said by the first connection of the load.
    if self.targets.isEmpty { (self.targets, remarks) = (targets, []) }
  }

  /// Why nothing is there; nil: something is, whatever comes of the handshake.
  private static func refusal(
    _ target: LoadTarget, _ tls: ClientTLS, _ group: EventLoopGroup, _ timeout: Duration
  ) async -> String? {
    var configuration = ClientConfiguration()
    configuration.connectTimeout = timeout
    if let address = target.address { configuration.resolver = PinnedAddress(address: address) }
    let client = RPCClient(
      to: target.endpoint, tls: tls, group: group, configuration: configuration)
    var reason: String?
    do throws(RPCError) {
      try await client.connect()
    } catch {
      if error.phase == .connecting { reason = error.message }
    }
    await client.close()
    return reason
  }
}
