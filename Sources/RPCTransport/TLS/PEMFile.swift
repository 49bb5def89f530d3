import CLinux
import COpenSSL

/// A file with certificates or a key in PEM form, as it was when it was read.
struct PEMFile {
  let path: String
  let bytes: [UInt8]

  /// Larger files are refused: the system's whole CA bundle has some 200 KiB.
  static let maximumBytes = 4 * 1024 * 1024

  /// Reads the file. `role` is how an error calls it: "certificate", "key", "client CA".
  init(_ path: String, role: String) throws(TLSConfigurationError) {
    self.path = path
    let descriptor = clinux_open_for_reading(path)
    guard descriptor >= 0 else { throw Self.unreadable(path, role, clinux_errno()) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      guard count > 0 else { throw Self.unreadable(path, role, clinux_errno()) }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= Self.maximumBytes else {
        throw TLSConfigurationError(
          .malformed, "the \(role) file \(path) is larger than \(Self.maximumBytes) bytes")
      }
    }
    self.bytes = bytes
  }

  private static func unreadable(
    _ path: String, _ role: String, _ code: Int32
  ) -> TLSConfigurationError {
    TLSConfigurationError(
      .unreadable,
      "cannot read the \(role) file \(path): \(SystemError.text(code)); "
        + "check the path and the file's permissions")
  }

  /// The certificates in the file, at least one.
  func certificates(role: String) throws(TLSConfigurationError) -> [Certificate] {
    var certificates: [Certificate] = []
    let (error, readError) = withBIO { bio -> (UInt, Bool) in
      ERR_clear_error()
      while let certificate = PEM_read_bio_X509(bio, nil, refusePassphrase, nil) {
        certificates.append(Certificate(owning: certificate))
      }
      let error = ERR_peek_last_error()
      return (error, !copenssl_is_end_of_pem(error))
    }
    ERR_clear_error()
    if readError {
      let reason = ERR_reason_error_string(error).map { String(cString: $0) } ?? "unknown reason"
      throw TLSConfigurationError(
        .malformed, "the \(role) file \(path) has a damaged certificate: \(reason)")
    }
    guard !certificates.isEmpty else {
      throw TLSConfigurationError(
        .malformed,
        "the \(role) file \(path) has no PEM certificate; it must begin with "
          + "-----BEGIN CERTIFICATE-----")
    }
    return certificates
  }

  /// The private key in the file.
  func privateKey() throws(TLSConfigurationError) -> PrivateKey {
    ERR_clear_error()
    if let key = withBIO({ PEM_read_bio_PrivateKey($0, nil, refusePassphrase, nil) }) {
      return PrivateKey(owning: key)
    }
    let isEncrypted = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
    ERR_clear_error()
    if isEncrypted {
      throw TLSConfigurationError(
        .encryptedKey,
        "the key file \(path) is encrypted; store it without a passphrase, "
          + "readable by the server's user only")
    }
    throw TLSConfigurationError(
      .malformed,
      "the key file \(path) has no PEM private key; it must hold -----BEGIN PRIVATE KEY-----")
  }

  private func withBIO<R>(_ body: (OpaquePointer?) -> R) -> R {
    bytes.withUnsafeBytes { buffer in
      let bio = copenssl_bio(buffer.baseAddress, Int32(buffer.count))
      defer { BIO_free(bio) }
      return body(bio)
    }
  }
}

/// Without this, OpenSSL would ask for a passphrase on the terminal.
private func refusePassphrase(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32,
  _ data: UnsafeMutableRawPointer?
) -> Int32 { -1 }

/// A certificate that OpenSSL holds.
final class Certificate: @unchecked Sendable {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    X509_free(pointer)
  }
}

/// A private key that OpenSSL holds.
final class PrivateKey: @unchecked Sendable {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    EVP_PKEY_free(pointer)
  }
}
