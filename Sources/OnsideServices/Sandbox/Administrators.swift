import OnsideDomain
import RPC

/// Who may control a test environment: the client certificates of its administrators. The
/// connection's TLS layer has verified them against the server's client CA already.
public struct Administrators: Sendable, Hashable {
  private var fingerprints: [[UInt8]] = []
  private var subjects: [String] = []

  /// Nobody.
  public init() {}

  /// True: nobody is an administrator, and the sandbox's service isn't offered.
  public var isEmpty: Bool { fingerprints.isEmpty && subjects.isEmpty }

  /// Lets one certificate in.
  ///
  /// - Parameter text: SHA-256 over the certificate's DER form as 64 hexadecimal digits, with or
  ///   without colons; or its subject in RFC 2253 form, `CN=test-control,O=Example`.
  /// - Returns: False for a text that is neither; nothing has changed then.
  public mutating func add(_ text: String) -> Bool {
    if let digest = Hexadecimal.bytes(text), digest.count == 32 {
      fingerprints.append(digest)
      return true
    }
    // A shortened fingerprint has no "=": it isn't taken for a subject that nobody has.
    guard text.contains("="), text.utf8.count <= 1_024 else { return false }
    subjects.append(text)
    return true
  }

  /// The authorization rule of calls that only administrators may make.
  var rule: AuthorizationRule {
    let requirement = CertificateRequirement(fingerprints: fingerprints, subjects: subjects)
    return AuthorizationRule("administrator") { context throws(RPCError) in
      guard let certificate = context.peer.certificate else {
        throw RPCError(
          .administratorRequired,
          "\(context.method.path) is for administrators; connect with an administrator's client "
            + "certificate: none was sent")
      }
      guard requirement.accepts(certificate) else {
        throw RPCError(
          .administratorRequired,
          "\(context.method.path) is for administrators; the client certificate "
            + "\(Escaping.quoted(certificate.subject)) isn't one of theirs: see the server's "
            + "--admin-certificate", ["subject": certificate.subject])
      }
      return nil
    }
  }
}
