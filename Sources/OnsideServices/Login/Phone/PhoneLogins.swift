import Logging
import OnsideDomain
import OnsideProto
import OnsideStore
import RPC
import Synchronization

/// Sends login codes and checks them.
///
/// Codes that are waited for are in memory: after a restart their users ask for new ones.
final class PhoneLogins: Sendable {
  private let book: Mutex<PhoneBook>
  private let policy: PhoneLoginPolicy
  private let gateway: any PhoneGateway
  private let clock: ServiceClock
  private let log: Logger

  init(
    _ policy: PhoneLoginPolicy, gateway: any PhoneGateway, clock: ServiceClock, log: Logger
  ) {
    book = Mutex(PhoneBook(policy: policy))
    self.policy = policy
    self.gateway = gateway
    self.clock = clock
    self.log = log
  }

  /// Sends a code to a number, whether it has a profile or not.
  ///
  /// - Throws: `PHONE_NUMBER_INVALID`, `PHONE_LIMITED`; UNAVAILABLE if it couldn't be sent.
  func send(
    to text: String, app: RegisteredApp, from peer: PeerInfo
  ) async throws(RPCError) -> SendPhoneCodeResponse {
    let number = try PhoneNumber(checking: text, field: "phone_number")
    let network = ClientNetwork(peer)
    let (id, code) = (LoginID.random(), LoginCode.random())
    let (now, wall) = (clock.monotonic(), clock.wall())
    let waits = book.withLock { book -> (before: Duration?, after: Duration?) in
      if let wait = book.wait(number, from: network, now: now) { return (wait, nil) }
      book.open(id, code, for: number, app: app.id, from: network, now: now)
      return (nil, book.wait(number, from: network, now: now))
    }
    if let wait = waits.before {
      throw limited(
        "too many codes were asked for with this number or from this address", wait, network)
    }
    let expiresAt = wall.advanced(by: policy.codeLifetime)
    let message = PhoneMessage(
      number: number, code: code.text, appID: app.id, appName: app.name,
      challengeID: id.description, sentAt: wall, expiresAt: expiresAt)
    try await send(message, id)
    return SendPhoneCodeResponse(
      challengeID: id.description, expiresAtMs: expiresAt.milliseconds,
      resendAfterMs: wall.advanced(by: waits.after ?? .zero).milliseconds)
  }

  private func send(_ message: PhoneMessage, _ id: LoginID) async throws(RPCError) {
    do throws(PhoneGatewayError) {
      try await gateway.send(message)
    } catch {
      book.withLock { $0.cancel(id) }
      log.log(
        .warning, "a login code couldn't be sent",
        ["app": .string(message.appID), "cause": .string(error.message)], key: "phone-gateway",
        every: .seconds(10))
      throw RPCError(
        .unavailable, "the code couldn't be sent; ask for another one in a moment", cause: error)
    }
  }

  /// A code that was right. It is used when the login is confirmed, and can be used again when it
  /// is released.
  struct Claim: Sendable {
    let id: LoginID
    let number: PhoneNumber
  }

  /// Checks a code.
  ///
  /// - Throws: `PHONE_CODE_WRONG`, `PHONE_CODE_EXPIRED`, `PHONE_LIMITED`.
  func claim(
    _ credential: PhoneCredential, app: RegisteredApp, from peer: PeerInfo
  ) throws(RPCError) -> Claim {
    let network = ClientNetwork(peer)
    let id = LoginID(credential.challengeID)
    let check = book.withLock {
      $0.check(id, credential.code, app: app.id, from: network, now: clock.monotonic())
    }
    switch check {
    case .right(let number):
      guard let id else { throw Self.expired }
      return Claim(id: id, number: number)
    case .wrong(let tries):
      throw RPCError(
        .phoneCodeWrong,
        tries > 0
          ? "that isn't the code that was sent; \(tries) more tries"
          : "that isn't the code that was sent, and there are no more tries; ask for a new code",
        ["tries_left": String(tries)])
    case .expired: throw Self.expired
    case .spent:
      throw limited("this code was tried too often; ask for a new one", .zero, network)
    case .limited(let wait):
      throw limited("too many wrong codes came from this address", wait, network)
    }
  }

  private static var expired: RPCError {
    RPCError(
      .phoneCodeExpired,
      "the code was sent too long ago, was used, or is of no login of this app; ask for a new code")
  }

  /// The login has succeeded: the code is used.
  func confirm(_ claim: Claim) {
    book.withLock { $0.confirm(claim.id, now: clock.monotonic()) }
  }

  /// The login has failed for another reason: the code can be used again.
  func release(_ claim: Claim) {
    book.withLock { $0.release(claim.id) }
  }

  /// The codes that were sent to a number and can still be used, newest first; nil: the gateway
  /// isn't the sandbox's.
  func usableMessages(to number: PhoneNumber) -> [PhoneMessage]? {
    guard let sandbox = gateway as? SandboxPhoneGateway else { return nil }
    let messages = sandbox.messages(to: number)
    let now = clock.monotonic()
    return book.withLock { book in
      messages.filter { message in
        LoginID(message.challengeID).map { book.isUsable($0, now: now) } ?? false
      }
    }
  }

  private func limited(
    _ reason: String, _ wait: Duration, _ network: ClientNetwork
  ) -> RPCError {
    log.log(
      .warning, "phone login is limited", ["address": .string(network.name)],
      key: "phone-limited", every: .seconds(10))
    let milliseconds = wait.wholeMilliseconds
    let advice = milliseconds > 0 ? "; try again in \(milliseconds) ms" : ""
    return RPCError(
      .phoneLimited, reason + advice, ["retry_after_ms": String(milliseconds)])
  }
}

extension PhoneNumber {
  /// Reads a number of a request.
  ///
  /// - Throws: `PHONE_NUMBER_INVALID`, which doesn't show the number.
  init(checking text: String, field: String) throws(RPCError) {
    guard let number = PhoneNumber(e164: text) else {
      throw RPCError(
        .phoneNumberInvalid,
        "\(field) isn't a phone number in E.164 form; send \"+\", the country code and the rest, "
          + "\(Self.digitCounts.lowerBound) to \(Self.digitCounts.upperBound) digits in all, "
          + "without separators", ["field": field])
    }
    self = number
  }
}

extension Duration {
  /// In milliseconds, rounded up, so that whoever waits so long has waited long enough.
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
