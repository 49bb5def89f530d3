import OnsideDomain

/// The sequence of a login, step by step.
///
/// Source: the marketplace's page on external login. If an external account may be asked for, it is
/// asked for first; without one, or if its session can't be made, the login method is asked for; if
/// the session was made but its profile can't be loaded, the phone login follows, never the store
/// app. Pure: the answer to one step goes in, the next step comes out.
struct LoginFlow {
  /// What to do next.
  enum Step: Equatable {
    case askExternalAccount
    case openSession(Credential)
    case askMethod
    case beginStoreLogin

    /// Open its URL, and wait for the callback.
    case waitForStoreApp(StoreLoginStart)
    case askPhoneNumber(PhoneNumberScreen)
    case sendCode(String)
    case askCode(PhoneCodeScreen)
    case signedIn(ProfileRecord)
    case discarded(OnsideError)
  }

  /// What came of a step.
  enum Answer {
    case externalAccount(String?)
    case sessionOpened(ProfileRecord)
    case sessionFailed(OnsideError)
    case method(LoginMethod)
    case storeLoginBegun(StoreLoginStart)
    case storeLoginUnavailable(OnsideError)
    case storeApp(StoreAppAnswer)
    case phoneNumber(PhoneNumberAnswer)
    case codeSent(PhoneChallenge)
    case codeNotSent(OnsideError)
    case code(PhoneCodeAnswer)
  }

  /// The most phone screens that one login shows: a script that answers without end comes to one.
  static let maximumScreens = 20

  private let appID: String
  private let startsExternally: Bool
  private let isLocalTesting: Bool

  private enum Way {
    case external, store, phone
  }

  private var way = Way.external

  /// Where the phone login stands.
  var phoneNumber = ""
  var challenge: PhoneChallenge?
  var screens = 0

  /// - Parameters:
  ///   - hasExternalAccounts: Whether the app can be asked for an external account.
  ///   - isLocalTesting: Nobody is asked, and the login is by phone.
  init(appID: String, hasExternalAccounts: Bool, isLocalTesting: Bool) {
    self.appID = appID
    startsExternally = hasExternalAccounts
    self.isLocalTesting = isLocalTesting
  }

  mutating func start() -> Step {
    if isLocalTesting { return phone() }
    return startsExternally ? .askExternalAccount : .askMethod
  }

  mutating func take(_ answer: Answer) -> Step {
    switch answer {
    case .externalAccount(let identifier):
      identifier.map { .openSession(.externalUserID($0)) } ?? .askMethod
    case .sessionOpened(let profile): .signedIn(profile)
    case .sessionFailed(let error): sessionFailed(error)
    case .method(.auto): beginStoreLogin()
    case .method(.local): phone()
    case .storeLoginBegun(let start): .waitForStoreApp(start)
    // Without the store app, `.auto` is the login in the library.
    case .storeLoginUnavailable: phone()
    case .storeApp(let answer): storeApp(answer)
    case .phoneNumber(.cancel), .code(.cancel): discarded("the user closed the login")
    case .phoneNumber(.number(let number)): send(to: number)
    case .codeSent(let challenge): codeSent(challenge)
    case .codeNotSent(let error): codeNotSent(error)
    case .code(.code(let code)): open(code)
    case .code(.resend): .sendCode(phoneNumber)
    case .code(.otherNumber): phone()
    }
  }

  private mutating func storeApp(_ answer: StoreAppAnswer) -> Step {
    switch answer {
    case .approved(let loginID, let code): .openSession(.store(loginID: loginID, code: code))
    case .refused: discarded("the user refused in the store app")
    case .timedOut: discarded("the store app didn't answer in time")
    case .notOpened: phone()
    }
  }

  private mutating func sessionFailed(_ error: OnsideError) -> Step {
    if error.code == .superseded || error.code == .cancelled || error.code == .alreadySignedIn {
      return .discarded(error)
    }
    switch way {
    case .phone: return phoneFailed(error)
    case _ where error.code == .profileUnavailable: return phone()
    case .store: return discarded(error.message, error)
    case .external: return .askMethod
    }
  }

  private mutating func beginStoreLogin() -> Step {
    way = .store
    return .beginStoreLogin
  }

  func discarded(_ why: String, _ cause: OnsideError? = nil) -> Step {
    .discarded(
      OnsideError(
        .loginDiscarded, why, reason: cause?.reason, values: cause?.values ?? [:],
        cause: cause?.cause))
  }

  mutating func phone(_ problem: String? = nil) -> Step {
    way = .phone
    challenge = nil
    screens += 1
    guard screens <= Self.maximumScreens else { return discarded("too many attempts") }
    return .askPhoneNumber(PhoneNumberScreen(appID: appID, problem: problem))
  }
}

/// How the store app answered.
enum StoreAppAnswer: Equatable {
  case approved(loginID: String, code: String)
  case refused
  case timedOut

  /// No app takes its URL.
  case notOpened
}
