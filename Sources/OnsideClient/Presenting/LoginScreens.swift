/// The screen that asks for a phone number.
public struct PhoneNumberScreen: Sendable, Hashable {
  /// The app that the user signs in to.
  public var appID: String

  /// Why the last number wasn't taken; nil at first.
  public var problem: String?

  /// Makes a screen.
  public init(appID: String, problem: String? = nil) {
    self.appID = appID
    self.problem = problem
  }
}

/// What the user did about a phone number.
public enum PhoneNumberAnswer: Sendable, Hashable {
  /// A number in E.164: "+", the country code, 8 to 15 digits in all.
  case number(String)

  /// The user doesn't want to sign in.
  case cancel
}

/// The screen that asks for a code.
public struct PhoneCodeScreen: Sendable, Hashable {
  /// Where the code was sent.
  public var phoneNumber: String

  /// When the code is of no use any more, milliseconds since 1970 UTC.
  public var expiresAtMilliseconds: Int64

  /// When another code may be asked for, milliseconds since 1970 UTC.
  public var resendAfterMilliseconds: Int64

  /// Why the last code wasn't taken; nil at first.
  public var problem: String?

  /// How many more codes may be tried, if the service said so.
  public var triesLeft: Int?

  /// Makes a screen.
  public init(
    phoneNumber: String, expiresAtMilliseconds: Int64, resendAfterMilliseconds: Int64,
    problem: String? = nil, triesLeft: Int? = nil
  ) {
    self.phoneNumber = phoneNumber
    self.expiresAtMilliseconds = expiresAtMilliseconds
    self.resendAfterMilliseconds = resendAfterMilliseconds
    self.problem = problem
    self.triesLeft = triesLeft
  }
}

/// What the user did about a code.
public enum PhoneCodeAnswer: Sendable, Hashable {
  /// Six digits.
  case code(String)

  /// Send another code to the same number.
  case resend

  /// Ask for a number again.
  case otherNumber

  /// The user doesn't want to sign in.
  case cancel
}
