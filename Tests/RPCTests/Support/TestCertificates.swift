import Foundation
import RPC
import RPCTransport
import TestSupport

/// Certificates that all tests of the process share.
struct TestCertificates: Sendable {
  let folder: String

  static let shared = Task {
    TestCertificates(folder: try await CertificateFolder.shared.value.path)
  }

  func serverTLS(clientCA: Bool = false) throws -> ServerTLS {
    var configuration = ServerTLS.Configuration(
      certificateFile: folder + "/server.pem", keyFile: folder + "/server.key",
      applicationProtocols: [RPCProtocol.name])
    if clientCA {
      configuration.clientCAFile = folder + "/ca.pem"
      configuration.clientCertificates = .optional
    }
    return try ServerTLS(configuration)
  }

  func clientTLS(withCertificate: Bool = false) throws -> ClientTLS {
    var configuration = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    configuration.trust = .file(folder + "/ca.pem")
    if withCertificate {
      configuration.certificateFile = folder + "/client.pem"
      configuration.keyFile = folder + "/client.key"
    }
    return try ClientTLS(configuration)
  }
}

/// A program that failed.
struct CommandFailed: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

/// Where the package's root is.
let packageRoot = Folders.package.path
