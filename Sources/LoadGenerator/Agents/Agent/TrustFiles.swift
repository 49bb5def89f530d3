import Glibc
import RPCTransport

/// The certificates that came with a share, in a folder that only this user can read, as long as
/// the share is made.
final class TrustFiles {
  private let folder: String
  private var paths: [String] = []

  /// What the share's clients come with.
  private(set) var configuration = ClientTLS.Configuration(applicationProtocols: ["onside/1"])

  /// - Throws: ``SetupError`` if the files can't be written.
  init(_ trust: ServerTrust) throws(SetupError) {
    var template = Array("/tmp/onside-load-XXXXXX".utf8CString)
    let isMade = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
    }
    guard isMade else {
      throw SetupError(.certificate, "no folder for the certificates: \(textOfError())")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    configuration.serverName = trust.serverName.isEmpty ? nil : trust.serverName
    if trust.insecure { configuration.verification = .insecureNone }
    if !trust.ca.isEmpty { configuration.trust = .file(try write(trust.ca, "ca.pem")) }
    if !trust.certificate.isEmpty {
      configuration.certificateFile = try write(trust.certificate, "client.pem")
    }
    if !trust.key.isEmpty { configuration.keyFile = try write(trust.key, "client.key") }
  }

  deinit {
    for path in paths { unlink(path) }
    rmdir(folder)
  }

  private func write(_ text: String, _ name: String) throws(SetupError) -> String {
    let path = folder + "/" + name
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SetupError(.certificate, "\(path): \(textOfError())") }
    defer { close(descriptor) }
    paths.append(path)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SetupError(.certificate, "\(path): \(textOfError())") }
      rest = rest.dropFirst(count)
    }
    return path
  }
}

private func textOfError() -> String { String(cString: strerror(errno)) }
