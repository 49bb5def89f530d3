import Flags
import Foundation
import OnsideClient
import RPC
import RPCClient
import RPCTransport

/// How the command line says that the server is reached.
struct ServerAccess {
  let options: OnsideCommand
  let arguments: ParsedArguments

  /// Where the session is kept.
  var sessions: SessionFile {
    SessionFile(path: arguments[options.sessionFile] ?? SessionFile.defaultPath)
  }

  /// A client with the event loop that it runs on.
  struct Connection {
    let client: RPCClient
    private let group: EventLoopGroup

    fileprivate init(client: RPCClient, group: EventLoopGroup) {
      self.client = client
      self.group = group
    }

    /// Closes the connection and ends the loop.
    func close() async {
      await client.close()
      await group.shutdown()
    }
  }

  /// A client, which connects with its first call.
  ///
  /// - Parameter policies: What is done about calls that fail for a moment. By default nothing, so
  ///   that whoever tries a service out sees what it says.
  func connect(policies: CallPolicies = CallPolicies()) throws(Failure) -> Connection {
    let (endpoint, tls) = (try endpoint(), try trust())
    let group: EventLoopGroup
    do {
      group = try EventLoopGroup(loops: 1)
    } catch {
      throw Failure(.resources, "no event loop: \(error)")
    }
    var configuration = ClientConfiguration()
    configuration.policies = policies
    let client = RPCClient(to: endpoint, tls: tls, group: group, configuration: configuration)
    return Connection(client: client, group: group)
  }

  private func endpoint() throws(Failure) -> Endpoint {
    do {
      return try Endpoint(arguments[options.target])
    } catch {
      throw Failure(.address, "--target: \(error)")
    }
  }

  private func trust() throws(Failure) -> ClientTLS {
    var configuration = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    if let file = arguments[options.ca] { configuration.trust = .file(file) }
    configuration.certificateFile = arguments[options.certificate]
    configuration.keyFile = arguments[options.key]
    if arguments[options.insecure] {
      configuration.verification = .insecureNone
      options.command.complain(
        "INSECURE: --insecure switched the check of the server's certificate off; whoever answers"
          + " may be somebody else")
    }
    do {
      return try ClientTLS(configuration)
    } catch {
      throw Failure(.certificate, "\(error)")
    }
  }

  /// The app's key; nil: none was given.
  func appKey() throws(Failure) -> String? {
    guard let path = arguments[options.appKeyFile] else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.file, "--app-key-file: \(path) can't be read")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
  /// What the client of one user is made with.
  func configuration() throws(Failure) -> OnsideClient.Configuration {
    OnsideClient.Configuration(
      appID: arguments[options.app], appKey: try appKey(), countryHint: arguments[options.country],
      timeout: .milliseconds(Int64(arguments[options.timeout] * 1_000)))
  }
}
