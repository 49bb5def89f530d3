import Flags
import Glibc
import LoadGenerator
import RPCServer
import RPCTransport

/// `onside-load agent`: makes shares of loads for a coordinator elsewhere.
struct AgentCommand {
  private let arguments: ParsedArguments
  private let command = LoadFlags.command

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  func execute() async -> ExitCode {
    let group = makeGroup()
    let signals = AsyncStream<Void>.makeStream()
    do throws(SystemError) {
      _ = try SignalSource([SIGINT, SIGTERM], loop: group.first) { _ in
        signals.continuation.yield()
      }
    } catch {
      command.fail(.resources, "\(error)")
    }
    let server = listen(group)
    for await _ in signals.stream { break }
    // Loads end with their calls.
    await server.drain(within: .zero)
    await group.shutdown()
    return .success
  }

  private func makeGroup() -> EventLoopGroup {
    do throws(SystemError) {
      return try EventLoopGroup(loops: 1)
    } catch {
      command.fail(.resources, "\(error)")
    }
  }

  private func listen(_ group: EventLoopGroup) -> Server {
    var limits = AgentLimits()
    limits.connections = arguments[AgentFlags.maximumConnections]
    limits.seconds = arguments[AgentFlags.maximumSeconds]
    let agent = LoadAgent(limits: limits, version: Version.current) { [command] note in
      command.complain(note)
    }
    do {
      let server = try agent.makeServer(group: group)
      let listener = try server.listen(
        on: Endpoint(arguments[AgentFlags.listen]), tls: ServerTLS(tls))
      try writeText("listening on \(listener.localAddress)\n", to: STDOUT_FILENO)
      return server
    } catch let error as TLSConfigurationError {
      command.fail(.certificate, error.description)
    } catch {
      command.fail(.address, "\(error)")
    }
  }

  private var tls: ServerTLS.Configuration {
    var tls = ServerTLS.Configuration(
      certificateFile: arguments[AgentFlags.certificate], keyFile: arguments[AgentFlags.key],
      applicationProtocols: ["onside/1"])
    tls.clientCAFile = arguments[AgentFlags.clientCA]
    tls.clientCertificates = .required
    return tls
  }
}
