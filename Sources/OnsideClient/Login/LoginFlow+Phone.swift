import OnsideDomain

/// The login with a phone number and a code.
extension LoginFlow {
  mutating func send(to number: String) -> Step {
    phoneNumber = number
    return .sendCode(number)
  }

  mutating func codeSent(_ challenge: PhoneChallenge) -> Step {
    self.challenge = challenge
    return askCode()
  }

  mutating func codeNotSent(_ error: OnsideError) -> Step {
    // A code that was sent before is still good, and its screen says when to ask for another.
    if challenge != nil, error.reason == .phoneLimited { return askCode(error) }
    return phone(error.message)
  }

  func open(_ code: String) -> Step {
    guard let challenge else { return discarded("there is no code to check") }
    return .openSession(.phone(challengeID: challenge.id, code: code))
  }

  /// A session couldn't be opened with the code.
  mutating func phoneFailed(_ error: OnsideError) -> Step {
    // The code is used up, and there is no other way left.
    if error.code == .profileUnavailable { return discarded(error.message, error) }
    switch error.reason {
    case .phoneLimited: return phone(error.message)
    default: return askCode(error)
    }
  }

  private mutating func askCode(_ error: OnsideError? = nil) -> Step {
    guard let challenge else { return phone(error?.message) }
    screens += 1
    guard screens <= Self.maximumScreens else { return discarded("too many attempts", error) }
    return .askCode(
      PhoneCodeScreen(
        phoneNumber: phoneNumber, expiresAtMilliseconds: challenge.expiresAtMilliseconds,
        resendAfterMilliseconds: challenge.resendAfterMilliseconds, problem: error?.message,
        triesLeft: error?.values["tries_left"].flatMap { Int($0) }))
  }
}
