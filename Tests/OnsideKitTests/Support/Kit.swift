import OnsideClient
import OnsideKit
@testable import OnsideKitCore

/// The library in use, against the real service.
@MainActor final class Kit {
  let service: KitService
  let presenter = ScriptedPresenter()
  let external = ExternalLoginProvider()
  let app = AppDelegate()
  let observer = RecordingObserver()

  private init(_ service: KitService) { self.service = service }

  /// The same with the full build.
  static func run(
    initializes: Bool = true, _ body: @MainActor (Kit, Onside.Type) async throws -> Void
  ) async throws {
    try await run(FullEdition.self, initializes: initializes, body)
  }

  /// Starts the service and an edition of the library, runs `body`, and ends both.
  static func run<Edition: OnsideEdition>(
    _ edition: Edition.Type, initializes: Bool = true,
    _ body: @MainActor (Kit, OnsideFacade<Edition>.Type) async throws -> Void
  ) async throws {
    typealias Onside = OnsideFacade<Edition>
    let kit = Kit(try await KitService())
    if initializes { Onside.initialize(configuration: kit.configuration) }
    Onside.delegate = kit.app
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(kit, Onside.self))
    } catch {
      result = .failure(error)
    }
    Onside.defaultPaymentQueue().remove(observer: kit.observer)
    Onside.defaultPaymentQueue().delegate = nil
    (Onside.delegate, Onside.externalLoginDelegate, Onside.callbackScheme) = (nil, nil, nil)
    Onside.logout()
    await Onside.shutDown()
    await kit.service.stop()
    try result.get()
  }

  var configuration: OnsideConfiguration {
    OnsideConfiguration(
      service: service.address, appID: KitService.app,
      caFile: service.certificates.folder + "/ca.pem", presenter: presenter)
  }

  /// Who is signed in, as the service says.
  var profile: ProfileRecord? { Runtime.shared.instance.profile }

  /// What was shown of the login.
  var loginScreens: [String] {
    presenter.shown.compactMap {
      switch $0 {
      case .phoneNumber: "phone number"
      case .phoneCode: "phone code"
      case .url: "store app"
      default: nil
      }
    }
  }
}

/// The sample of the page on external login, which counts how often it was asked.
@MainActor final class ExternalLoginProvider: OnsideExternalLoginDelegate {
  var currentUserID: String?
  private(set) var questions = 0

  /// What happens while the app looks its user up.
  var lookUp: @MainActor () async -> Void = {}

  func onsideExternalAccountToken() async -> String? {
    questions += 1
    await lookUp()
    return currentUserID
  }
}

/// An app that says how to sign in.
@MainActor final class AppDelegate: OnsideDelegate {
  var loginMethod = OnsideLoginMethod.auto
  var forcesLocal = false
  var country: String?
  private(set) var methodQuestions = 0
  private(set) var screens: [OnsideScreen] = []

  func onsideLoginMethod() -> OnsideLoginMethod {
    methodQuestions += 1
    return loginMethod
  }

  func onsideShouldForceLocalLoginMethods() -> Bool { forcesLocal }
  func onsideDefaultCountryCodeAssumption() -> String? { country }

  func onside(uiThemeOverrideForScreen screen: OnsideScreen) -> OnsideUIThemeMode? {
    screens.append(screen)
    return nil
  }
}
