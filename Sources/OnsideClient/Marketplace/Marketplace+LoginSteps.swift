import OnsideDomain
import Synchronization

/// What the steps of a login do.
extension Marketplace {
  func perform(_ step: LoginFlow.Step, _ attempt: LoginAttempt) async -> LoginFlow.Answer {
    switch step {
    case .askExternalAccount:
      return .externalAccount(await attempt.host.externalAccount?())
    case .openSession(let credential):
      return await openSession(credential, attempt)
    case .askMethod:
      return .method(await attempt.host.loginMethod())
    case .beginStoreLogin:
      return await beginStoreLogin(attempt)
    case .waitForStoreApp(let start):
      return .storeApp(await waitForStoreApp(start, attempt))
    case .askPhoneNumber(let screen):
      return .phoneNumber(await presenter.phoneNumber(screen))
    case .sendCode(let number):
      do throws(OnsideError) {
        return .codeSent(try await backend.sendPhoneCode(to: number))
      } catch {
        return .codeNotSent(error)
      }
    case .askCode(let screen):
      return .code(await presenter.phoneCode(screen))
    case .signedIn, .discarded:
      preconditionFailure("the login is over")
    }
  }

  private func openSession(
    _ credential: Credential, _ attempt: LoginAttempt
  ) async -> LoginFlow.Answer {
    let hint = await attempt.host.countryHint()
    do throws(OnsideError) {
      return .sessionOpened(
        try await backend.logIn(
          with: credential, countryHint: hint, after: attempt.logouts))
    } catch {
      if case .externalUserID = credential { await attempt.host.loginFellBack(error) }
      return .sessionFailed(error)
    }
  }

  private func beginStoreLogin(_ attempt: LoginAttempt) async -> LoginFlow.Answer {
    guard let scheme = callbackScheme else {
      return .storeLoginUnavailable(
        OnsideError(.loginDiscarded, "the app has no callback scheme for the store app"))
    }
    do throws(OnsideError) {
      return .storeLoginBegun(try await backend.beginStoreLogin(callbackScheme: scheme))
    } catch {
      await attempt.host.loginFellBack(error)
      return .storeLoginUnavailable(error)
    }
  }

  /// Opens the store app, and waits until it calls back, or the time is over.
  private func waitForStoreApp(
    _ start: StoreLoginStart, _ attempt: LoginAttempt
  ) async -> StoreAppAnswer {
    let answer = OneShot<StoreAppAnswer>()
    state.withLock { state in
      guard state.login?.id == attempt.id, !state.isClosed else { return answer.resolve(.refused) }
      state.storeApp = WaitingForStoreApp(loginID: start.id, answer: answer)
    }
    guard await presenter.open(url: start.url) else {
      endStoreLogin(start.id)
      return .notOpened
    }
    let timer = Task { [configuration] in
      try? await configuration.pause(configuration.storeLoginTimeout)
      if !Task.isCancelled { answer.resolve(.timedOut) }
    }
    let decision = await answer.value
    timer.cancel()
    endStoreLogin(start.id)
    return decision
  }

  private func endStoreLogin(_ id: String) {
    state.withLock { if $0.storeApp?.loginID == id { $0.storeApp = nil } }
  }

  /// Takes a URL that the app was opened with, if it is the store app's callback of the login that
  /// is under way.
  ///
  /// - Returns: false for any other URL, and for a callback that came before.
  public func handle(url: String) -> Bool {
    state.withLock { state in
      guard let scheme = state.callbackScheme,
        let callback = StoreCallback(url: url, scheme: scheme),
        let waiting = state.storeApp, waiting.loginID == callback.loginID
      else { return false }
      state.storeApp = nil
      waiting.answer.resolve(callback.answer)
      return true
    }
  }
}
