import OnsideDomain
import Synchronization

extension Marketplace {
  /// What the app sells, of the products asked for: at the prices of the user's storefront, or,
  /// while nobody is signed in, of the host's country hint.
  ///
  /// An answer for an earlier user is dropped, and the question is asked again for the present one.
  ///
  /// - Parameter identifiers: in any order; duplicates count once.
  /// - Throws: `refused` with the reason; `unavailable`; `superseded` if the user changes again and
  ///   again; `cancelled`.
  public func products(_ identifiers: [String]) async throws(OnsideError) -> ProductList {
    await started.value
    for _ in 0..<3 {
      let hint = profile == nil ? await host.countryHint() : nil
      do throws(OnsideError) {
        return try await backend.products(identifiers, countryHint: hint)
      } catch {
        if error.code == .sessionLost { sessionLost(in: sessionGeneration) }
        guard error.code == .superseded || error.code == .sessionLost else { throw error }
      }
      guard !Task.isCancelled else { throw OnsideError(.cancelled, "the task was cancelled") }
    }
    throw OnsideError(.superseded, "the user changed again and again; load the products again")
  }

  /// The user's purchases in this app as a compact JWS, for the app's own backend.
  ///
  /// - Throws: `notSignedIn`: nobody is asked to sign in for this; `notSupportedInLocalTesting`.
  public func signedHistory() async throws(OnsideError) -> String {
    guard !backend.isLocal else { throw Self.notLocal("the signed history") }
    await started.value
    let (isSignedIn, run) = state.withLock { ($0.profile != nil, $0.run) }
    guard isSignedIn else {
      throw OnsideError(.notSignedIn, "the signed history is a user's; log in first")
    }
    do throws(OnsideError) {
      return try await backend.signedHistory()
    } catch {
      note(error, in: run)
      throw error
    }
  }

  static func notLocal(_ what: String) -> OnsideError {
    OnsideError(
      .notSupportedInLocalTesting, "\(what) needs the service, and this runs from a local file")
  }

  /// Shows the saved cards, after a login if it needs one, until the user is done.
  ///
  /// - Throws: `notSupportedInLocalTesting`, `loginDiscarded`, `notSupportedForExternalLogin`, and
  ///   what keeps the cards from being loaded.
  public func presentPaymentMethods() async throws(OnsideError) {
    guard !backend.isLocal else { throw Self.notLocal("the payment methods") }
    let user = try await signedIn()
    guard user.profile.kind == .regular else {
      throw OnsideError(
        .notSupportedForExternalLogin, "an external profile has no saved cards",
        reason: .notSupportedForExternalLogin)
    }
    var problem: String?
    while true {
      let cards = try await backend.cards()
      guard isCurrent(user.run) else { throw Self.loggedOut }
      let answer = await presenter.paymentMethods(
        PaymentMethodsScreen(cards: cards, problem: problem))
      guard isCurrent(user.run) else { throw Self.loggedOut }
      if answer == .done { return }
      problem = try await carryOut(answer, in: user.run)
    }
  }

  /// Does one thing with the cards; returns why it couldn't.
  private func carryOut(
    _ wish: PaymentMethodsAnswer, in run: UInt64
  ) async throws(OnsideError) -> String? {
    do throws(OnsideError) {
      switch wish {
      case .add(let card): _ = try await backend.addCard(card)
      case .remove(let id): try await backend.removeCard(id: id)
      case .makeDefault(let id): _ = try await backend.setDefaultCard(id: id)
      case .done: break
      }
      return nil
    } catch {
      note(error, in: run)
      guard error.code == .refused || error.code == .unavailable else { throw error }
      return error.message
    }
  }
}
