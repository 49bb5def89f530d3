import OnsideProto
import RPC

@testable import OnsideServices

extension MarketplaceFixture {
  /// The sandbox's control, for tests that aren't about who may use it.
  func control() throws -> SandboxServiceClient {
    var registry = MethodRegistry()
    let methods = SandboxServiceMethods.descriptor.methods
    registry.add(
      marketplace.sandboxHandlers(Faults(store: store, log: log.logger)),
      authorization: Dictionary(uniqueKeysWithValues: methods.map { ($0, .anyone) }))
    return SandboxServiceClient(try InProcessTransport(registry))
  }

  static let phoneNumber = "+4915112345678"

  /// Asks for a code.
  func sendCode(
    to number: String = phoneNumber, app: String = TestCatalogue.shop,
    from client: LoginServiceClient? = nil
  ) async throws(RPCError) -> SendPhoneCodeResponse {
    try await (client ?? login).sendPhoneCode(
      SendPhoneCodeRequest(appID: app, phoneNumber: number))
  }

  /// Tries a code.
  func tryCode(
    _ code: String, of challenge: String, app: String = TestCatalogue.shop, country: String = "",
    from client: LoginServiceClient? = nil
  ) async throws(RPCError) -> CreateSessionResponse {
    try await (client ?? login).createSession(
      CreateSessionRequest(
        appID: app, credential: .phone(PhoneCredential(challengeID: challenge, code: code)),
        countryHint: country))
  }

  /// The code that was sent for a challenge, as the sandbox tells it.
  func code(
    of challenge: String, sentTo number: String = phoneNumber
  ) async throws -> String {
    let codes = try await control().listPhoneCodes(ListPhoneCodesRequest(phoneNumber: number)).codes
    guard let code = codes.first(where: { $0.challengeID == challenge }) else {
      throw TestFailure("no code was sent")
    }
    return code.code
  }

  /// Logs in with a phone number.
  func logIn(
    phone number: String, app: String = TestCatalogue.shop, country: String = "",
    from client: LoginServiceClient? = nil
  ) async throws -> CreateSessionResponse {
    let challenge = try await sendCode(to: number, app: app, from: client).challengeID
    let code = try await code(of: challenge, sentTo: number)
    return try await tryCode(code, of: challenge, app: app, country: country, from: client)
  }

  /// A code that isn't this one.
  static func other(than code: String) -> String {
    code.hasPrefix("9") ? "0" + code.dropFirst() : "9" + code.dropFirst()
  }
}
