// Login, payment methods, history and attribution, with completions.

import Foundation

#if LITE
  import OnsideKitLite
#else
  import OnsideKit
#endif

@MainActor final class AccountController {
  private var historyRequest: OnsideSignedInAppsHistoryRequest?
  private(set) var problems: [String] = []

  func logIn() {
    Onside.requestLogin()
    Onside.requestLogin { result in
      if case .failure(let error) = result { print(error == .loginDiscarded) }
    }
    // In a task, without `await`: this is still the function with a completion.
    Task { Onside.requestLogin() }
  }

  func logOut() { Onside.logout() }

  func showCards() {
    Onside.presentPaymentMethodsManager()
    Onside.presentPaymentMethodsManager { [weak self] result in
      switch result {
      case .success: break
      case .failure(.notSupportedForExternalLogin): self?.problems.append("external")
      case .failure(.notSupportedInLocalTesting): self?.problems.append("testing")
      case .failure(.loginDiscarded): self?.problems.append("login")
      case .failure: break
      }
    }
  }

  func loadHistory() {
    switch Onside.makeSignedInAppsHistoryRequest() {
    case .success(let request):
      request.delegate = self
      request.start()
      historyRequest = request
    case .failure(let error):
      if error == .notLoggedIn { problems.append("not logged in") }
    }
  }

  func attribution() {
    Onside.getAttributionMetadata { [weak self] result in
      let url: URL? = try? result.get().refererUrl
      self?.problems.append(url?.absoluteString ?? "organic")
    }
  }
}

extension AccountController: OnsideSignedInAppsHistoryRequestDelegate {
  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest, didReceive history: OnsideSignedInAppsHistory
  ) {
    let data: Data = history.data
    problems.append(history.string ?? "\(data.count) bytes")
    historyRequest?.stop()
    historyRequest = nil
  }

  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest,
    didFailWithError error: OnsideSignedInAppsHistoryRequestError
  ) {
    problems.append("\(error)")
  }
}
