import Flags
import LoadGenerator
import RPCTransport

extension AgentsRun.Agents {
  /// The agents that a command line names; nil: none, this machine makes the load.
  ///
  /// - Throws: ``SetupError`` if an address can't be read or a file can't be used.
  init?(_ arguments: ParsedArguments) throws(SetupError) {
    let texts = arguments[AgentFlags.agents].flatMap { $0.split(separator: ",") }
    guard !texts.isEmpty else { return nil }
    var tls = ClientTLS.Configuration(applicationProtocols: ["onside/1"])
    if let file = arguments[AgentFlags.agentCA] { tls.trust = .file(file) }
    tls.certificateFile = arguments[AgentFlags.agentCertificate]
    tls.keyFile = arguments[AgentFlags.agentKey]
    tls.serverName = arguments[AgentFlags.agentName]
    guard tls.certificateFile != nil else {
      throw SetupError(
        .certificate,
        "--agents needs --agent-certificate and --agent-key: agents serve nobody without one")
    }
    do {
      try self.init(
        texts.map { try Endpoint(String($0)) }, tls: ClientTLS(tls),
        toleratesLoss: arguments[AgentFlags.allowLostAgents])
    } catch let error as TLSConfigurationError {
      throw SetupError(.certificate, error.description)
    } catch let error as SetupError {
      throw error
    } catch {
      throw SetupError(.address, "--agents: \(error)")
    }
  }
}

extension AgentsRun.Server {
  /// The server that a command line names, with the files that go to the agents.
  ///
  /// - Throws: ``SetupError`` if a file can't be read.
  init(_ arguments: ParsedArguments) throws(SetupError) {
    self.init(targets: arguments[LoadFlags.target])
    ca = try Self.text(arguments[LoadFlags.ca])
    certificate = try Self.text(arguments[LoadFlags.certificate])
    key = try Self.text(arguments[LoadFlags.key])
    serverName = arguments[LoadFlags.serverName] ?? ""
    isInsecure = arguments[LoadFlags.insecure]
  }

  private static func text(_ path: String?) throws(SetupError) -> String {
    guard let path else { return "" }
    do throws(FileError) {
      return try readText(path)
    } catch {
      throw SetupError(.certificate, "\(error)")
    }
  }
}
