import Flags
import Glibc
import LoadGenerator
import LoadReporting
import RPCTransport

extension RunCommand {
  /// Makes the load from here, or has agents make it.
  func makeLoad(
    _ plan: LoadPlan, _ products: ProductPool?, _ groups: [EventLoopGroup], _ control: RunControl,
    onStage: (String) -> Void, onSecond: (SecondFigures) -> Void
  ) async throws(SetupError) -> LoadReport {
    if arguments[LoadFlags.insecure] {
      let style = TextStyle(descriptor: STDERR_FILENO)
      command.complain(style.apply(.red, to: LoadReport.insecureRemark))
    }
    if let agents = try AgentsRun.Agents(arguments) {
      let status = try await serverStatus(plan, groups)
      let run = AgentsRun(
        plan, products: products, server: try AgentsRun.Server(arguments), agents: agents,
        loops: arguments[LoadFlags.loops], version: Version.current,
        commandLine: CommandLine.arguments, control: control, status: status)
      let report = try await run.execute(group: groups[0], onStage: onStage, onSecond: onSecond)
      await status?.close()
      return report
    }
    let targets = try await ServerTargets(
      arguments[LoadFlags.target], tls: ClientTLS.Configuration(arguments), plan: plan,
      groups: groups)
    if !arguments[LoadFlags.quiet] { targets.warnings.forEach(command.complain) }
    let status = try serverStatus(plan, targets.targets)
    let run = try LoadRun(
      plan, products: products, source: targets.source, loops: groups.map(\.first),
      commandLine: CommandLine.arguments, control: control, status: status)
    var report = try await run.execute(onStage: onStage, onSecond: onSecond)
    await status?.close()
    targets.describe(in: &report)
    return report
  }

  /// Where the servers' own figures come from; nil: nobody may ask them.
  private func serverStatus(
    _ plan: LoadPlan, _ targets: [LoadTarget]
  ) throws(SetupError) -> AdministratorStatus? {
    guard let certificate = arguments[LoadFlags.adminCertificate] else { return nil }
    var tls = ClientTLS.Configuration(arguments)
    tls.certificateFile = certificate
    tls.keyFile = arguments[LoadFlags.adminKey]
    return try AdministratorStatus(targets: targets, tls: tls, timeout: plan.timeout)
  }

  /// The same where agents make the load: then nobody else here looks the servers up.
  private func serverStatus(
    _ plan: LoadPlan, _ groups: [EventLoopGroup]
  ) async throws(SetupError) -> AdministratorStatus? {
    guard arguments[LoadFlags.adminCertificate] != nil else { return nil }
    let targets = try await ServerTargets(
      arguments[LoadFlags.target], tls: ClientTLS.Configuration(arguments), plan: plan,
      groups: groups)
    return try serverStatus(plan, targets.targets)
  }
}
