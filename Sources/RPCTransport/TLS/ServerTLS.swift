import COpenSSL
import Synchronization

/// A server's TLS: its certificate, the application protocols that it speaks, whom it trusts, and
/// the keys of its session tickets. Shared by all its connections.
public final class ServerTLS: Sendable {
  /// What a server's TLS is made from.
  public struct Configuration: Sendable {
    /// The certificate, with the chain behind it, in PEM form.
    public var certificateFile: String
    /// The private key in PEM form, without a passphrase.
    public var keyFile: String
    /// The certificates that clients' certificates must come from. Nil: clients aren't asked for
    /// one.
    public var clientCAFile: String?
    /// Whether a client may do without a certificate, if there is a client CA.
    public var clientCertificates = ClientCertificates.required
    /// The application protocols (ALPN), the preferred one first. A client that offers none of them
    /// is refused with the alert `no_application_protocol`.
    public var applicationProtocols: [String]
    /// The oldest TLS version that is taken.
    public var minimumVersion = TLSVersion.v1_3
    /// How long new session tickets are made with the same key (1 h); they can be used for at most
    /// twice as long.
    public var ticketKeyLifetime = Duration.seconds(3600)

    /// A configuration without client certificates.
    public init(certificateFile: String, keyFile: String, applicationProtocols: [String]) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
      self.applicationProtocols = applicationProtocols
    }
  }

  /// What a server with a client CA expects of clients.
  public enum ClientCertificates: Sendable {
    /// A client without a certificate is refused.
    case required
    /// A client may come without one; one that is sent must be good.
    case optional
  }

  private struct State {
    var context: TLSContext
    var clientCA: [UInt8]?
    var serial: String
  }

  /// What it was made from. Reloading reads the same files again.
  public let configuration: Configuration
  let protocols: ApplicationProtocols
  let ticketKeys: TicketKeys
  private let state: Mutex<State>

  /// Reads the files.
  public init(_ configuration: Configuration) throws(TLSConfigurationError) {
    self.configuration = configuration
    protocols = try ApplicationProtocols(configuration.applicationProtocols)
    ticketKeys = TicketKeys(lifetime: max(1, configuration.ticketKeyLifetime.wholeNanoseconds))
    state = Mutex(try Self.load(configuration))
    currentContext.attach(self)
  }

  /// Reads the files again, and uses what they hold for new connections. If anything is wrong with
  /// them, the present certificate stays in use. Open connections live on. A client CA that changed
  /// also ends all resumption, since a resumed session skips the check of the client's certificate.
  public func reload() throws(TLSConfigurationError) {
    let loaded = try Self.load(configuration)
    loaded.context.attach(self)
    let isClientCAChanged = state.withLock { state in
      defer { state = loaded }
      return state.clientCA != loaded.clientCA
    }
    if isClientCAChanged { ticketKeys.discardAll() }
  }

  /// Changes the ticket keys now. They change by themselves as configured.
  public func rotateTicketKeys() {
    ticketKeys.rotate()
  }

  /// The serial number of the certificate in use, in upper-case hexadecimal.
  public var certificateSerial: String { state.withLock { $0.serial } }

  var currentContext: TLSContext { state.withLock { $0.context } }

  private static func load(_ configuration: Configuration) throws(TLSConfigurationError) -> State {
    let certificate = try PEMFile(configuration.certificateFile, role: "certificate")
    let key = try PEMFile(configuration.keyFile, role: "key")
    let context = try TLSContext(server: true, minimumVersion: configuration.minimumVersion)
    try context.use(certificate: certificate, key: key)
    var clientCA: [UInt8]?
    if let path = configuration.clientCAFile {
      let file = try PEMFile(path, role: "client CA")
      try context.askForClientCertificates(
        file, required: configuration.clientCertificates == .required)
      clientCA = file.bytes
    }
    try context.useTickets(lifetime: configuration.ticketKeyLifetime)
    let serial = SSL_CTX_get0_certificate(context.pointer).map { PeerCertificate($0).serial }
    return State(context: context, clientCA: clientCA, serial: serial ?? "")
  }
}

extension ServerTLS: ChannelSecurity {
  func problem(of channel: Channel, _ ssl: OpaquePointer) -> ChannelEnd? {
    // A resumed session brings the certificate of the first one, which isn't verified again by
    // OpenSSL: it may have expired, or its CA may no longer be trusted.
    if channel.security.isResumed && SSL_get0_peer_certificate(ssl) != nil {
      let result = copenssl_verify_again(ssl, currentContext.pointer)
      ERR_clear_error()
      guard result == X509_V_OK else {
        return ChannelEnd(.tls, "the client's certificate: \(verificationText(Int(result)))")
      }
    }
    return nil
  }

  func explanation(
    of failure: TLSFailure, _ ssl: OpaquePointer, _ channel: Channel
  ) -> ChannelEnd {
    if let note = channel.handshakeNote { return ChannelEnd(.noApplicationProtocol, note) }
    let result = SSL_get_verify_result(ssl)
    if failure.kind == .tls && result != X509_V_OK {
      return ChannelEnd(.tls, "the client's certificate: \(verificationText(result))")
    }
    switch failure.kind {
    case .endOfStream, .truncated:
      return ChannelEnd(.truncated, "the client closed the connection during the TLS handshake")
    default:
      return failure.channelEnd
    }
  }

  /// The server side of ALPN: the result that OpenSSL wants.
  func selectProtocol(
    _ channel: Channel?, _ wire: UnsafeBufferPointer<UInt8>,
    _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
    _ size: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    let offered = ApplicationProtocols.names(in: wire)
    guard let match = protocols.select(from: offered) else {
      let list = offered.prefix(8).map { printable($0) }.joined(separator: ", ")
      channel?.handshakeNote =
        "the client offers the protocols \(list); this server speaks \(protocols.text)"
      return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    selected.pointee = match.baseAddress
    size.pointee = UInt8(match.count)
    return SSL_TLSEXT_ERR_OK
  }
}

extension TLSContext {
  /// Asks clients for a certificate that comes from one of those in the file.
  fileprivate func askForClientCertificates(
    _ file: PEMFile, required: Bool
  ) throws(TLSConfigurationError) {
    try trust(file, role: "client CA")
    for certificate in try file.certificates(role: "client CA") {
      SSL_CTX_add_client_CA(pointer, certificate.pointer)
    }
    SSL_CTX_set_verify(
      pointer, SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nil)
  }

  /// Session tickets with our keys, and no session cache.
  fileprivate func useTickets(lifetime: Duration) throws(TLSConfigurationError) {
    copenssl_disable_session_cache(pointer)
    guard SSL_CTX_set_num_tickets(pointer, 1) == 1,
      SSL_CTX_set_session_id_context(pointer, "onside", 6) == 1,
      SSL_CTX_set_tlsext_ticket_key_evp_cb(pointer, ticketCallback) == 1
    else { throw .refused("session tickets") }
    let seconds = min(lifetime.components.seconds, 3 * 24 * 3600)
    SSL_CTX_set_timeout(pointer, max(1, 2 * Int(seconds)))
    SSL_CTX_set_max_early_data(pointer, 0)
  }

  /// Lets OpenSSL's callbacks find the server's settings. Channels keep them alive.
  fileprivate func attach(_ server: ServerTLS) {
    copenssl_set_context_data(pointer, Unmanaged.passUnretained(server).toOpaque())
    SSL_CTX_set_client_hello_cb(pointer, helloCallback, nil)
    SSL_CTX_set_alpn_select_cb(pointer, protocolCallback, nil)
  }
}

/// The settings of the server that a connection belongs to.
private func serverTLS(_ ssl: OpaquePointer?) -> ServerTLS? {
  guard let ssl, let context = SSL_get_SSL_CTX(ssl), let data = copenssl_context_data(context)
  else { return nil }
  return Unmanaged<ServerTLS>.fromOpaque(data).takeUnretainedValue()
}

/// A client that doesn't use ALPN at all: OpenSSL would let it in.
private let helloCallback: SSL_client_hello_cb_fn = { ssl, alert, _ in
  var bytes: UnsafePointer<UInt8>?
  var count = 0
  let alpn = UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation)
  if SSL_client_hello_get0_ext(ssl, alpn, &bytes, &count) == 1 { return SSL_CLIENT_HELLO_SUCCESS }
  let spoken = serverTLS(ssl)?.protocols.text ?? ""
  Channel.of(ssl)?.handshakeNote =
    "the client offers no application protocol (ALPN); this server speaks \(spoken)"
  alert?.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
  return SSL_CLIENT_HELLO_ERROR
}

private let protocolCallback: SSL_CTX_alpn_select_cb_func = { ssl, out, outSize, bytes, count, _ in
  guard let server = serverTLS(ssl), let out, let outSize else { return SSL_TLSEXT_ERR_ALERT_FATAL }
  let wire = UnsafeBufferPointer(start: bytes, count: Int(count))
  return server.selectProtocol(Channel.of(ssl), wire, out, outSize)
}

private typealias TicketCallback =
  @convention(c) (
    OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?,
    OpaquePointer?, Int32
  ) -> Int32

private let ticketCallback: TicketCallback = { ssl, name, iv, cipher, mac, encrypt in
  guard let server = serverTLS(ssl), let name, let iv, let cipher, let mac else { return -1 }
  return server.ticketKeys.prepare(
    name: name, iv: iv, cipher: cipher, mac: mac, encrypt: encrypt != 0)
}
