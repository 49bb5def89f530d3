import COpenSSL
import Synchronization

/// A client's TLS: whom it trusts, what it presents, and the sessions that it can resume. Shared by
/// all connections that are made with it.
public final class ClientTLS: Sendable {
  /// What a client's TLS is made from.
  public struct Configuration: Sendable {
    /// Whom to trust.
    public var trust = Trust.system
    /// How a server's certificate is checked.
    public var verification = Verification.full
    /// The client's certificate, with the chain behind it, in PEM form; goes with ``keyFile``.
    public var certificateFile: String?
    /// The client's private key in PEM form, without a passphrase.
    public var keyFile: String?
    /// The name that the server's certificate must hold for, if it isn't the host that is connected
    /// to. For a Unix socket it is `localhost` unless given.
    public var serverName: String?
    /// The application protocols (ALPN) to offer, the preferred one first.
    public var applicationProtocols: [String]
    /// The oldest TLS version that is taken.
    public var minimumVersion = TLSVersion.v1_3
    /// How many sessions are kept for each server (8). 0 switches resumption off.
    public var sessionsPerServer = 8

    /// The system's trust, full verification, no client certificate.
    public init(applicationProtocols: [String]) {
      self.applicationProtocols = applicationProtocols
    }
  }

  /// The certificates that servers' certificates must come from.
  public enum Trust: Sendable, Hashable {
    /// Those of the system.
    case system
    /// Those in a PEM file, and no others.
    case file(String)
  }

  /// How a server's certificate is checked.
  public enum Verification: Sendable {
    /// Its chain, its purpose, its validity, and that it holds for the host name or IP address.
    case full
    /// Not at all: anybody on the way can read and change everything. For experiments only.
    case insecureNone
  }

  /// What it was made from.
  public let configuration: Configuration
  let protocols: ApplicationProtocols
  let sessions: SessionCache
  private let context: TLSContext
  private let tickets = Atomic<Int>(0)

  /// How many sessions the servers have offered for resumption so far (TLS 1.3: tickets).
  public var ticketsReceived: Int { tickets.load(ordering: .relaxed) }

  /// Reads the files.
  public init(_ configuration: Configuration) throws(TLSConfigurationError) {
    self.configuration = configuration
    protocols = try ApplicationProtocols(configuration.applicationProtocols)
    sessions = SessionCache(perServer: configuration.sessionsPerServer)
    context = try TLSContext(server: false, minimumVersion: configuration.minimumVersion)
    try Self.setTrust(configuration, context)
    switch (configuration.certificateFile, configuration.keyFile) {
    case (let certificate?, let key?):
      try context.use(
        certificate: PEMFile(certificate, role: "client certificate"),
        key: PEMFile(key, role: "client key"))
    case (nil, nil): break
    default:
      throw TLSConfigurationError(
        .unusable, "a client certificate and its key go together; give both files or none")
    }
    guard
      SSL_CTX_set_alpn_protos(context.pointer, protocols.wire, UInt32(protocols.wire.count)) == 0
    else { throw .refused("the application protocols") }
    copenssl_hand_out_sessions(context.pointer)
    SSL_CTX_sess_set_new_cb(context.pointer, newSessionCallback)
  }

  private static func setTrust(
    _ configuration: Configuration, _ context: TLSContext
  ) throws(TLSConfigurationError) {
    guard case .full = configuration.verification else {
      SSL_CTX_set_verify(context.pointer, SSL_VERIFY_NONE, nil)
      return
    }
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, verifyCallback)
    switch configuration.trust {
    case .file(let path): try context.trust(PEMFile(path, role: "CA"), role: "CA")
    case .system:
      guard SSL_CTX_set_default_verify_paths(context.pointer) == 1 else {
        throw .refused("the system's certificates")
      }
    }
  }

  /// The name that a server's certificate is checked for.
  func name(for endpoint: Endpoint) -> String {
    if let name = configuration.serverName { return name }
    switch endpoint {
    case .host(let host, _): return host
    case .unix: return "localhost"
    }
  }

  /// An SSL object for a connection to the endpoint, with a session to resume if there is one.
  func makeConnection(to endpoint: Endpoint) -> OpaquePointer? {
    guard let ssl = context.makeConnection() else { return nil }
    SSL_set_connect_state(ssl)
    guard setName(name(for: endpoint), ssl) else {
      SSL_free(ssl)
      return nil
    }
    if let session = sessions.take(endpoint) {
      SSL_set_session(ssl, session)
      SSL_SESSION_free(session)
    }
    return ssl
  }

  private func setName(_ name: String, _ ssl: OpaquePointer) -> Bool {
    // An IP address is looked for among the certificate's addresses, and never sent as a name.
    if let address = SocketAddress(literal: name, port: 0) {
      let parameters = SSL_get0_param(ssl)
      switch address {
      case .ipv4(let bits, _):
        return withUnsafeBytes(of: bits.bigEndian) {
          X509_VERIFY_PARAM_set1_ip(parameters, $0.baseAddress, 4) == 1
        }
      case .ipv6(let high, let low, _, _):
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
          X509_VERIFY_PARAM_set1_ip(parameters, $0.baseAddress, 16) == 1
        }
      case .unix: return false
      }
    }
    SSL_set_hostflags(
      ssl,
      UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS) | UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    return SSL_set1_host(ssl, name) == 1 && copenssl_set_server_name(ssl, name)
  }
}

extension ClientTLS {
  fileprivate func received(_ session: OpaquePointer, from server: Endpoint) {
    tickets.wrappingAdd(1, ordering: .relaxed)
    sessions.put(session, server)
  }
}

extension ClientTLS: ChannelSecurity {
  func problem(of channel: Channel, _ ssl: OpaquePointer) -> ChannelEnd? {
    guard channel.security.applicationProtocol.isEmpty else { return nil }
    return ChannelEnd(
      .noApplicationProtocol,
      "the server chose no application protocol (ALPN); this client offers \(protocols.text)")
  }

  func explanation(
    of failure: TLSFailure, _ ssl: OpaquePointer, _ channel: Channel
  ) -> ChannelEnd {
    let result = SSL_get_verify_result(ssl)
    if failure.kind == .tls && result != X509_V_OK {
      var end = ChannelEnd(.tls, refusal(result, ssl, channel))
      end.verification = result
      return end
    }
    if failure.hasReason(SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL) {
      return ChannelEnd(
        .noApplicationProtocol,
        "the server speaks none of the protocols that this client offers: \(protocols.text)")
    }
    switch failure.kind {
    case .endOfStream, .truncated:
      return ChannelEnd(.truncated, "the server closed the connection during the TLS handshake")
    default:
      return failure.channelEnd
    }
  }

  private func refusal(_ result: Int, _ ssl: OpaquePointer, _ channel: Channel) -> String {
    let name = channel.opener?.serverKey.map { self.name(for: $0) } ?? ""
    guard let names = channel.handshakeNote else {
      return "the certificate of \(name) is refused: \(verificationText(result))"
    }
    return "the server's certificate isn't for \(name): it is for \(names)"
  }
}

/// A certificate was refused. If for its names, they are noted: OpenSSL forgets the certificate.
private let verifyCallback: SSL_verify_cb = { isGood, check in
  let mismatch = [X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH]
  guard isGood == 0, mismatch.contains(X509_STORE_CTX_get_error(check)),
    let ssl = X509_STORE_CTX_get_ex_data(check, SSL_get_ex_data_X509_STORE_CTX_idx()),
    let channel = Channel.of(OpaquePointer(ssl)),
    let certificate = X509_STORE_CTX_get0_cert(check)
  else { return isGood }
  let names = PeerCertificate.names(certificate).prefix(8).map { printable($0.description.utf8) }
  channel.handshakeNote = names.isEmpty ? "no name at all" : names.joined(separator: ", ")
  return isGood
}

private typealias NewSessionCallback =
  @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32

/// The server sent a ticket. 0: the session stays OpenSSL's.
private let newSessionCallback: NewSessionCallback = { ssl, session in
  guard let session, let channel = Channel.of(ssl), let opener = channel.opener,
    let server = opener.serverKey, let tls = opener.security as? ClientTLS
  else { return 0 }
  tls.received(session, from: server)
  return 0
}
