import Flags
import Glibc
import LoadGenerator
import LoadReporting
import RPCTransport

/// The servers that a command line names, looked up, and the clients for them.
struct Targets {
  let source: NetworkClientSource
  private let targets: [LoadTarget]
  private let isInsecure: Bool
  private var remarks: [String]

  /// - Throws: ``SetupError`` if a name can't be looked up or a file of the TLS configuration can't
  ///   be used.
  init(
    _ arguments: ParsedArguments, plan: LoadPlan, groups: [EventLoopGroup]
  ) async throws(SetupError) {
    let tls = ClientTLS.Configuration(arguments)
    isInsecure = arguments[LoadFlags.insecure]
    let named = try await TargetList(arguments[LoadFlags.target]).resolve()
    do throws(TLSConfigurationError) {
      let probe = await TargetProbe(
        named, tls: try ClientTLS(tls), group: groups[0], timeout: plan.timeout)
      (targets, remarks) = (probe.targets, probe.remarks)
      source = try NetworkClientSource(
        targets: targets, tls: tls, groups: groups, timeout: plan.timeout)
    } catch {
      throw SetupError(.certificate, error.description)
    }
  }

  /// What is to be known before the load, on standard error.
  func warn(_ plan: LoadPlan) {
    let style = TextStyle(descriptor: STDERR_FILENO)
    for remark in remarks { complain(remark) }
    if isInsecure { complain(style.apply(.red, to: LoadReport.insecureRemark)) }
    if let warning = source.warning(plan) { complain(warning) }
  }

  private func complain(_ text: String) {
    LoadFlags.command.complain(text)
  }

  /// What a report says about them.
  func describe(in report: inout LoadReport) {
    report.load.append(.init("targets", .array(targets.map { .string($0.description) })))
    report.remarks += (isInsecure ? [LoadReport.insecureRemark] : []) + remarks
  }
}
