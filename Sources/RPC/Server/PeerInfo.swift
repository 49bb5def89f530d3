/// Who is at the other end of a connection.
public struct PeerInfo: Sendable {
  /// The address as text: `127.0.0.1:40512`, `[::1]:40512`, a socket's path, or `in-process`.
  public var address: String

  /// The certificate that the peer proved to own; nil when it came without.
  public var certificate: Certificate?

  /// What was negotiated, for logs: `TLSv1.3 TLS_AES_128_GCM_SHA256`. Empty in process.
  public var security: String

  /// Describes a peer.
  public init(address: String, certificate: Certificate? = nil, security: String = "") {
    self.address = address
    self.certificate = certificate
    self.security = security
  }

  /// A verified client certificate.
  public struct Certificate: Sendable, Hashable {
    /// The subject's distinguished name in RFC 2253 form: `CN=game-backend,O=Example`.
    public var subject: String

    /// The names it is for: DNS names, IP addresses, URIs.
    public var alternativeNames: [String]

    /// SHA-256 over the certificate's DER form: 32 bytes.
    public var fingerprint: [UInt8]

    /// Describes a certificate.
    public init(subject: String, alternativeNames: [String], fingerprint: [UInt8]) {
      self.subject = subject
      self.alternativeNames = alternativeNames
      self.fingerprint = fingerprint
    }
  }
}
