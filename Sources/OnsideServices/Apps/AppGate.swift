import Logging
import OnsideDomain
import RPC
import Synchronization

/// Lets calls in that name an app: the app has to be registered, and the call has to come with what
/// the app is registered with.
///
/// The identifier of an app is in every copy of it, so by itself it proves nothing.
final class AppGate: Sendable {
  /// The metadata that carries an app key.
  static let keyName = "onside-app-key"

  private let registry: Mutex<AppRegistry>
  private let failures: Mutex<AttemptBackoff<Guesser>>
  private let clock: ServiceClock
  private let log: Logger

  /// Who guesses which app's key. The address is part of it, so that nobody can keep an app's own
  /// backend out by guessing wrong.
  struct Guesser: Hashable, Sendable {
    let app: String
    let address: String
  }

  init(
    _ registry: AppRegistry, clock: ServiceClock, log: Logger,
    backoff: AttemptBackoff<Guesser>.Policy = AttemptBackoff<Guesser>.Policy()
  ) {
    self.registry = Mutex(registry)
    failures = Mutex(AttemptBackoff(policy: backoff))
    self.clock = clock
    self.log = log
  }

  /// The apps in use.
  var apps: AppRegistry { registry.withLock { $0 } }

  /// Puts other apps in their place, for calls from now on.
  func replace(with registry: AppRegistry) {
    self.registry.withLock { $0 = registry }
  }

  /// The app that a call names, if the call may act for it.
  ///
  /// - Throws: `APP_NOT_REGISTERED`, `APP_CERTIFICATE_REQUIRED`, `APP_KEY_REQUIRED`,
  ///   `APP_KEY_INVALID`.
  func admit(_ id: String, _ context: ServerContext) throws(RPCError) -> RegisteredApp {
    guard let app = apps.find(id) else {
      throw RPCError(
        .appNotRegistered,
        "no app \(Escaping.quoted(id)) is registered with this service; check the identifier, or "
          + "register it in the server's apps file",
        ["app_id": String(id.prefix(255))])
    }
    try admit(app, context)
    return app
  }

  /// Checks that a call may act for an app.
  func admit(_ app: RegisteredApp, _ context: ServerContext) throws(RPCError) {
    if app.isOpen { return }
    if let requirement = app.certificate { try check(requirement, app, context.peer) }
    if !app.keyHashes.isEmpty { try checkKey(app, context) }
  }

  private func check(
    _ requirement: CertificateRequirement, _ app: RegisteredApp, _ peer: PeerInfo
  ) throws(RPCError) {
    if let certificate = peer.certificate, requirement.accepts(certificate) { return }
    throw RPCError(
      .appCertificateRequired,
      peer.certificate == nil
        ? "app \(app.id) has to connect with its client certificate; none was sent"
        : "the client certificate isn't one of app \(app.id); connect with the app's own",
      ["app_id": app.id])
  }

  private func checkKey(_ app: RegisteredApp, _ context: ServerContext) throws(RPCError) {
    let guesser = Guesser(app: app.id, address: Self.host(context.peer.address))
    let now = clock.monotonic()
    if let wait = failures.withLock({ $0.wait(guesser, now: now) }) {
      throw Self.backOff(app, wait)
    }
    let isRight = context.withMetadataValue(Self.keyName) { key in
      key.map { AppKey.matches($0, app.keyHashes) }
    }
    switch isRight {
    case true?: return
    case nil:
      throw RPCError(
        .appKeyRequired,
        "app \(app.id) has to come with its app key; send it as the metadata \(Self.keyName)",
        ["app_id": app.id])
    case false?:
      failures.withLock { $0.failed(guesser, now: now) }
      log.log(
        .warning, "wrong app key", ["app": .string(app.id), "address": .string(guesser.address)],
        key: "app-key", every: .seconds(10))
      throw RPCError(
        .appKeyInvalid,
        "the metadata \(Self.keyName) isn't a key of app \(app.id); send the key that the app was "
          + "registered with", ["app_id": app.id])
    }
  }

  private static func backOff(_ app: RegisteredApp, _ wait: Duration) -> RPCError {
    let milliseconds = max(
      1,
      wait.components.seconds * 1_000
        + wait.components.attoseconds / 1_000_000_000_000_000)
    return RPCError(
      .appKeyInvalid,
      "too many wrong keys for app \(app.id) came from this address; try again in "
        + "\(milliseconds) ms",
      ["app_id": app.id, "retry_after_ms": String(milliseconds)])
  }

  /// The address without its port: `[::1]:40512` is `[::1]`.
  private static func host(_ address: String) -> String {
    guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")) else { return address }
    return String(address[..<colon])
  }
}
