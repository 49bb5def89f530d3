import COpenSSL

/// What the TLS handshake of a connection came to.
public struct TLSInfo: Sendable {
  /// The protocol version.
  public var version = TLSVersion(rawValue: 0)
  /// The cipher suite, for example `TLS_AES_128_GCM_SHA256`.
  public var cipher = ""
  /// The key exchange group, for example `X25519`.
  public var group = ""
  /// The application protocol that was agreed on (ALPN); empty without one.
  public var applicationProtocol = ""
  /// Whether an earlier session was resumed: no certificates went over the wire then, and the
  /// peer's is the one of that session.
  public var isResumed = false
  /// The name that the client asked for (SNI). Nil if it gave none, as with an IP address.
  public var serverName: String?
  private var certificate: CertificateReference?

  /// The peer's certificate: a client always has the server's; a server has one if it asks for
  /// client certificates and the client sent it.
  public var peerCertificate: PeerCertificate? { certificate?.read() }

  /// Nothing negotiated yet.
  init() {}

  init(_ ssl: OpaquePointer) {
    version = TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl)))
    if let name = SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)) {
      cipher = String(cString: name)
    }
    if let name = copenssl_group_name(ssl) { group = String(cString: name) }
    applicationProtocol = Self.selectedProtocol(ssl)
    isResumed = SSL_session_reused(ssl) == 1
    if let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) {
      serverName = String(cString: name)
    }
    if let peer = SSL_get0_peer_certificate(ssl) { certificate = CertificateReference(peer) }
  }

  private static func selectedProtocol(_ ssl: OpaquePointer) -> String {
    var bytes: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &bytes, &count)
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }
}

/// A share in OpenSSL's certificate object, which is read only when somebody asks.
private final class CertificateReference: @unchecked Sendable {
  let certificate: OpaquePointer

  init(_ certificate: OpaquePointer) {
    X509_up_ref(certificate)
    self.certificate = certificate
  }

  deinit {
    X509_free(certificate)
  }

  func read() -> PeerCertificate { PeerCertificate(certificate) }
}
