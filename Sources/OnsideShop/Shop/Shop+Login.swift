import OnsideClient

/// Logging in and out.
extension Shop {
  /// Offers the ways to log in, and goes one; the answer tells whether somebody is logged in then.
  func offerLogin() async -> Bool {
    while marketplace.profile == nil {
      let choices = loginChoices
      let answer = await ask(
        "How to log in, empty to go back: ", below: { await self.lines(choices) },
        or: "Enter one of the letters."
      ) { Self.choice($0, among: choices) }
      switch answer {
      case .again: continue
      case .empty, .end: return false
      case .value(let choice): await logIn(choice)
      }
    }
    return true
  }

  /// Goes one way to log in, to its end.
  func logIn(_ choice: Choice) async {
    switch choice {
    case .externalLogin:
      guard
        let identifier = await askUntilAnswered("Your identifier in the app, empty to cancel: ")
      else { return }
      await logInExternally(identifier)
    case .storeLogin: await logInThroughStoreApp()
    default: report(await result())
    }
  }

  private func logInExternally(_ identifier: String) async {
    marketplace.host.externalAccount = { identifier }
    marketplace.host.loginFellBack = { [self] error in
      complain(error)
      say("The login by phone follows instead. Leave the number empty to go back.")
    }
    report(await result())
    marketplace.host.externalAccount = nil
    marketplace.host.loginFellBack = { _ in }
  }

  func result() async -> OnsideError? {
    outcomes.forget(.user)
    isChangingUser = true
    defer { isChangingUser = false }
    do throws(OnsideError) {
      try await marketplace.logIn()
      _ = await outcomes.wait(for: .user)
      return nil
    } catch {
      return error
    }
  }

  /// Says what came of a login; nil: it worked, which is told when it happens.
  func report(_ error: OnsideError?) {
    guard let error else { return }
    let isCancelled = error.code == .superseded
    complain("Not logged in: " + (isCancelled ? "you cancelled it." : ErrorText.of(error)))
  }

  /// Logs out here at once, and with the service if it can be reached.
  func logOut() async {
    outcomes.forget(.user)
    outcomes.forget(.logout)
    isChangingUser = true
    let ending = marketplace.logOut()
    _ = await outcomes.wait(for: .user)
    isChangingUser = false
    let telling = Task {
      await ending.value
      if !Task.isCancelled { outcomes.happened(.logout) }
    }
    let isKnown = await outcomes.wait(for: .logout)
    telling.cancel()
    say(
      isKnown
        ? "Logged out." : "Logged out here. The service can't be reached, and doesn't know it yet.")
  }
}
