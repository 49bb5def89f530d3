import Flags
import OnsideServices
import RPCTransport

/// The flags of `onside-server`.
enum ServeFlags {
  static let listen = Flag(
    "listen", .hostPort(portZero: true), default: "127.0.0.1:9443",
    help: "where to listen; port 0 picks a free one, [::]:PORT takes IPv4 as well")
  static let certificate = Flag(
    required: "certificate", .file, help: "the server's certificate with its chain (PEM)")
  static let key = Flag(
    required: "key", .file, help: "the certificate's private key, without a passphrase (PEM)")
  static let clientCA: Flag<String?> = Flag(
    "client-ca", .file, help: "ask clients for certificates that come from these (PEM)")
  static let clientCertificates = Flag(
    "client-certificates", .choice(of: ["required", "optional"]), default: "required",
    help: "with --client-ca: whether clients may come without one")
  static let administrators = Flag(
    repeatable: "admin-certificate", administratorKind,
    help: "offer SandboxService to this client certificate (with --client-ca); without it to nobody"
  )
  static let certificateCheck = Flag(
    "certificate-check-interval", .seconds(in: 0...86_400),
    default: 10,
    help: "how often to look whether certificate, key or client CA have changed; 0 for never")
  static let minimumTLS = Flag(
    "tls-min", .choice(of: ["1.3", "1.2"]), default: "1.3", help: "the oldest TLS version taken")
  static let apps: Flag<String?> = Flag(
    "apps", .file, help: "the registered apps (JSON); without it com.example.shop is registered")
  static let catalogue = Flag(
    list: "catalogue", .file,
    help: "what is sold: .storekit files, [APP=]FILE, or JSON Lines; read again on SIGHUP")
  static let store = Flag(
    "store", storeKind, default: "sqlite:onside.sqlite",
    help: "where sessions and purchases are kept")
  static let loops = Flag(
    "loops", .integer(in: 1...256), default: EventLoopGroup.availableProcessors,
    help: "event loops; one for each processor is right")
  static let poll = Flag(
    "poll-microseconds", .integer(in: 0...1_000), default: 0,
    help: "how long an idle loop polls before it sleeps: a lone client's latency against CPU")

  static let reflection = Flag<Bool>(
    toggle: "reflection",
    help: "let anybody ask for the services' .proto files, as onside call, list and describe do")
  static let sessionLifetime = Flag(
    "session-lifetime", .seconds(in: 1...31_536_000), default: 86_400,
    help: "how long a session is good for")
  static let keyLifetime = Flag(
    "session-key-lifetime", .seconds(in: 60...31_536_000), default: 86_400,
    help: "how long new sessions are sealed with one key")
  static let maximumProducts = Flag(
    "max-product-identifiers", .integer(in: 1...100_000), default: 1_000,
    help: "identifiers that one ListProducts call may ask for")
  static let profileCache = Flag(
    "profile-cache", .integer(in: 0...100_000_000), default: 1_000_000,
    help: "profiles held in memory, about 200 bytes each")

  static let drainTimeout = Flag(
    "drain-timeout", .seconds(in: 0...3_600), default: 30,
    help: "the longest wait for calls after SIGTERM")

  static let logLevel = Flag(
    "log-level", .choice(of: ["debug", "info", "warning", "error"]), default: "info",
    help: "lines below it aren't written")
  static let logFormat = Flag(
    "log-format", .choice(of: ["text", "json"]), default: "text", help: "how lines are written")

  static let metricsInterval = Flag(
    "metrics-interval", .seconds(in: 0...86_400), default: 0,
    help: "write all counters to the log so often; 0 for never. SIGUSR1 writes them once")

  private static let administratorKind = ValueKind<String>(
    expectation: "SHA-256 of a certificate as 64 hexadecimal digits, or a subject such as "
      + "CN=test-control,O=Example",
    placeholder: "SHA256|SUBJECT", show: { $0 }
  ) { text in
    var administrators = Administrators()
    return administrators.add(text) ? text : nil
  }

  private static let storeKind = ValueKind<String>(
    expectation: "sqlite:PATH or memory", placeholder: "sqlite:PATH|memory", show: { $0 }
  ) { text in
    StoreLocation(text)?.text
  }
}
