import COpenSSL

/// Certificates or settings that can't be used. The text names the file and says what to do.
public struct TLSConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of errors. More may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A short name.
    public var rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A file that isn't there, or may not be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// A file that doesn't hold what it should.
    public static let malformed = Code(rawValue: "malformed")
    /// A private key that needs a passphrase.
    public static let encryptedKey = Code(rawValue: "encrypted-key")
    /// A private key that doesn't belong to the certificate.
    public static let mismatch = Code(rawValue: "mismatch")
    /// Settings that OpenSSL refuses.
    public static let unusable = Code(rawValue: "unusable")
  }

  /// What kind of error it is.
  public var code: Code
  /// One line that names the file and says what to do.
  public var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Something that OpenSSL refused to do, with its reason.
  static func refused(_ what: String) -> TLSConfigurationError {
    let reason = ERR_reason_error_string(ERR_peek_last_error())
    let text = reason.map { String(cString: $0) } ?? "unknown reason"
    return TLSConfigurationError(.unusable, "OpenSSL refuses \(what): \(text)")
  }
}
