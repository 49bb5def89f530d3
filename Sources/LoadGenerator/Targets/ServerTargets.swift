public import LoadReporting
public import RPCTransport

/// The servers of a load, looked up, and the clients for them.
public struct ServerTargets: Sendable {
  /// Makes the clients.
  public let source: NetworkClientSource

  /// Where they are.
  public let targets: [LoadTarget]
  private let isInsecure: Bool
  private let remarks: [String]
  private let portWarning: String?

  /// Looks the targets up and finds out which of their addresses can be used.
  ///
  /// - Parameters:
  ///   - texts: as ``TargetList`` reads them.
  ///   - tls: whom to trust, and what to come with.
  ///   - groups: a group of one loop for each of the run's loops.
  /// - Throws: ``SetupError`` if a name can't be looked up, or a file of the TLS configuration
  ///   can't be used.
  public init(
    _ texts: [String], tls: ClientTLS.Configuration, plan: LoadPlan, groups: [EventLoopGroup]
  ) async throws(SetupError) {
    var tls = tls
    // A ticket is good for one connection: of a burst each needs its own.
    for part in plan.parts.indices {
      let part = plan.plan(ofPart: part)
      guard part.scenario == .storm else { continue }
      tls.sessionsPerServer = max(tls.sessionsPerServer, part.burst * 2)
    }
    isInsecure = tls.verification == .insecureNone
    let named = try await TargetList(texts).resolve()
    do throws(TLSConfigurationError) {
      let probe = await TargetProbe(
        named, tls: try ClientTLS(tls), group: groups[0], timeout: plan.timeout)
      (targets, remarks) = (probe.targets, probe.remarks)
      source = try NetworkClientSource(
        targets: targets, tls: tls, groups: groups, timeout: plan.timeout,
        connectionsPerClient: plan.connectionsPerClient)
    } catch {
      throw SetupError(.certificate, error.description)
    }
    portWarning = source.warning(plan)
  }

  /// What is to be known before the load.
  public var warnings: [String] { remarks + [portWarning].compactMap { $0 } }

  /// What a report says about them.
  public func describe(in report: inout LoadReport) {
    report.load.append(.init("targets", .array(targets.map { .string($0.description) })))
    report.remarks += (isInsecure ? [LoadReport.insecureRemark] : []) + remarks
  }
}
