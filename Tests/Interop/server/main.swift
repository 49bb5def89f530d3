import Flags
import Foundation
import InteropService
import RPC
import RPCServer
import RPCTransport

/// `interop-server`: serves `interop.v1.InteropService` to everybody, for tests.
///
/// It ends when its standard input does, so that it doesn't outlive the test that started it.
let listen = Flag(
  "listen", .hostPort(portZero: true), default: "127.0.0.1:0", help: "where to listen")
let certificate = Flag(required: "certificate", .file, help: "the server's certificate (PEM)")
let key = Flag(required: "key", .file, help: "the certificate's private key (PEM)")
let command = Command(
  "interop-server", summary: "Serves the interoperability list's service.",
  discussion: "Prints \"listening on HOST:PORT\", and ends when its standard input does.",
  elements: [listen, certificate, key],
  exitCodes: [(.success, nil), (.usage, nil), (.address, nil), (.certificate, nil)])

/// Starts serving; the result has to be held.
func serve(_ arguments: ParsedArguments) throws -> (server: Server, listener: Listener) {
  var registry = MethodRegistry()
  registry.add(InteropHandlers())
  for method in registry.methods { registry.authorize(method, .anyone) }
  var configuration = ServerConfiguration()
  // No test is about the default, and a busy machine takes its time for a thousand large calls.
  configuration.deadlines.fallback = .seconds(100)
  let server = try Server(
    registry, configuration: configuration, group: try EventLoopGroup(loops: 2))
  let tls = try ServerTLS(
    ServerTLS.Configuration(
      certificateFile: arguments[certificate], keyFile: arguments[key],
      applicationProtocols: [RPCProtocol.name]))
  return (server, try server.listen(on: try Endpoint(arguments[listen]), tls: tls))
}

let arguments = command.parseOrExit()
do {
  let served = try serve(arguments)
  try FileHandle.standardOutput.write(
    contentsOf: Data("listening on \(served.listener.localAddress)\n".utf8))
  // Blocks until the other end is closed.
  _ = FileHandle.standardInput.readDataToEndOfFile()
  withExtendedLifetime(served) {}
} catch let error as TLSConfigurationError {
  command.fail(.certificate, "\(error)")
} catch {
  command.fail(.address, "\(error)")
}
