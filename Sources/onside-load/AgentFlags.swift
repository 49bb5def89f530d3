import Flags
import LoadGenerator

/// The command lines of agents, and of runs that have some.
enum AgentFlags {
  static let listen = Flag<String>(
    required: "listen", .hostPort(portZero: true),
    help: "where coordinators reach this agent; port 0 picks a free one")
  static let certificate = Flag<String>(
    required: "certificate", .file, help: "this agent's certificate with its chain (PEM)")
  static let key = Flag<String>(
    required: "key", .file, help: "the private key of --certificate (PEM)")
  static let clientCA = Flag<String>(
    required: "client-ca", .file,
    help: "coordinators need a certificate that comes from these (PEM); whoever has one can have"
      + " this machine load any server")
  static let maximumConnections = Flag<Int>(
    "max-connections", .integer(in: 1...1_000_000), default: AgentLimits().connections,
    help: "the most connections of a load")
  static let maximumSeconds = Flag<Double>(
    "max-duration", .seconds(in: 1...604_800), default: AgentLimits().seconds,
    help: "the longest load")

  static let agents = Flag<[String]>(
    repeatable: "agents", .hostPorts,
    help: "have these agents (onside-load agent) make the load, each its share; --loops is for"
      + " each of them")
  static let agentCA = Flag<String?>(
    "agent-ca", .file, help: "trust agents with a certificate from these (PEM); else the system's")
  static let agentCertificate = Flag<String?>(
    "agent-certificate", .file, help: "the certificate that agents are shown")
  static let agentKey = Flag<String?>(
    "agent-key", .file, help: "the private key of --agent-certificate")
  static let agentName = Flag<String?>(
    "agent-name", .text("NAME"),
    help: "the name that all agents' certificates are checked for, in place of their hosts")
  static let allowLostAgents = Flag<Bool>(
    toggle: "allow-lost-agents", help: "a run may pass though an agent was lost")

  /// What `run` has beside its other flags.
  static let ofRun: [any CommandElement] = [
    Heading("More machines"), agents, agentCA, agentCertificate, agentKey, agentName,
    allowLostAgents,
  ]

  static let command = Command(
    "agent", summary: "Makes shares of loads for `run --agents` on another machine.",
    discussion: """
      Prints "listening on HOST:PORT" when it is ready. It makes one load at a time, and ends it \
      when its coordinator is gone. SIGINT or SIGTERM ends it.
      """,
    elements: [listen, certificate, key, clientCA, maximumConnections, maximumSeconds],
    exitCodes: [
      (.success, "stopped by a signal"), (.usage, nil), (.address, nil), (.certificate, nil),
      (.resources, nil),
    ])
}
