import OnsideClient
import OnsideDomain
import OnsideKitCore
import OnsideProto
import Testing

// What a user does.

extension Kit {
  nonisolated static let phoneNumber = "+4915112345678"

  /// The user types the number, and the code that the sandbox's gateway has got.
  func answerPhone() {
    let sandbox = service.sandbox
    presenter.script.phoneNumber = { _ in .number(Self.phoneNumber) }
    presenter.script.phoneCode = { screen in
      let request = ListPhoneCodesRequest(phoneNumber: screen.phoneNumber)
      let codes = try? await sandbox.listPhoneCodes(request).codes
      return codes?.first.map { .code($0.code) } ?? .cancel
    }
  }

  /// Signs an external user in.
  func logIn<Edition>(_ user: String, _ Onside: OnsideFacade<Edition>.Type) async throws {
    external.currentUserID = user
    Onside.externalLoginDelegate = external
    try await Onside.requestLogin().get()
  }

  /// Signs a regular user in, with a phone number.
  func logInRegularly<Edition>(_ Onside: OnsideFacade<Edition>.Type) async throws {
    answerPhone()
    app.loginMethod = .local
    try await Onside.requestLogin().get()
  }

  /// Another device of the regular user, signed in too.
  func otherDevice() async throws -> OnsideClient {
    let client = service.client()
    let challenge = try await client.sendPhoneCode(to: Self.phoneNumber)
    let codes = try await service.sandbox.listPhoneCodes(
      ListPhoneCodesRequest(phoneNumber: Self.phoneNumber)
    ).codes
    let code = try #require(codes.first { $0.challengeID == challenge.id })
    try await client.logIn(with: .phone(challengeID: challenge.id, code: code.code))
    return client
  }

  /// The sheets on which the user was asked to pay.
  var sheets: [PaymentSheet] {
    presenter.shown.compactMap { if case .payment(let sheet) = $0 { sheet } else { nil } }
  }
}
