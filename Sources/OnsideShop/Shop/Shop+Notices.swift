import OnsideClient
import OnsideDomain

/// Telling the person what happens, when it happens.
extension Shop {
  /// What a person was told of a transaction.
  struct Told: Equatable {
    var state: PaymentTransaction.State
    var isDeferred: Bool
  }

  func tell(_ event: MarketplaceEvent) {
    switch event {
    case .updated(let transactions): for transaction in transactions { tell(transaction) }
    case .removed(let transactions):
      for transaction in transactions where !finishedHere.contains(Self.key(transaction)) {
        say("Finished elsewhere: \(Self.title(transaction))")
      }
    case .restoreFinished:
      say("All purchases are restored.")
      outcomes.happened(.restore)
    case .restoreFailed(let error):
      complain("Nothing was restored: \(ErrorText.of(error))")
      outcomes.happened(.restore)
    case .userChanged(_, let profile): tellUser(profile)
    case .storefrontChanged(let storefront): tellStorefront(storefront)
    }
  }

  private func tell(_ transaction: PaymentTransaction) {
    let now = Told(state: transaction.state, isDeferred: transaction.isDeferred)
    let last = told.updateValue(now, forKey: transaction.id)
    titles[transaction.payment.product.identifier] = transaction.payment.product.title
    guard last != now, now.state != .purchasing || now.isDeferred else { return }
    // What is bought here is purchasing first.
    say(notice(transaction, isFirst: last == nil))
    outcomes.happened(.purchase(transaction.id))
  }

  /// - Parameter isFirst: nothing was known of it before: it wasn't bought in this run of the shop.
  private func notice(_ transaction: PaymentTransaction, isFirst: Bool) -> String {
    let title = Self.title(transaction)
    let what = "\(title) for \(transaction.payment.product.price)"
    let style = terminal.style
    switch transaction.state {
    case .purchased:
      let verb = isFirst ? "Delivered again, not finished yet" : "Bought"
      return style.apply(.green, to: "\(verb): \(what)")
        + "\nFinish it under transactions (t) once it is delivered."
    case .restored: return style.apply(.green, to: "Restored: \(title)")
    case .purchasing:
      return style.apply(.yellow, to: "Waiting for approval: \(what)")
        + "\nYou are told here when it is decided."
    case .failed:
      let failure = transaction.failure
      let why = ErrorText.of(
        OnsideError(.refused, failure?.message ?? "the payment failed", reason: failure?.reason))
      return style.apply(.red, to: "! Not bought: \(title). \(why)")
    }
  }

  /// The service's name of a transaction; what it doesn't know has one of its own.
  static func key(_ transaction: PaymentTransaction) -> String {
    transaction.transactionID ?? "\(transaction.id)"
  }

  static func title(_ transaction: PaymentTransaction) -> String {
    PlainText.of(transaction.payment.product.title)
  }

  private func tellUser(_ profile: ProfileRecord?) {
    told = [:]
    knownStorefront = profile?.storefront
    if let profile {
      say(terminal.style.apply(.green, to: "Logged in as \(Self.name(profile))."))
    } else if !isChangingUser {
      complain("The session is over: the service doesn't accept it any more. Log in again.")
    }
    outcomes.happened(.user)
    if !isChangingUser { turns.refresh() }
  }

  private func tellStorefront(_ storefront: Storefront?) {
    guard let storefront, storefront != knownStorefront else { return }
    let last = knownStorefront.map { "\($0.country.alpha2) before" } ?? "unknown before"
    knownStorefront = storefront
    say(
      terminal.style.apply(
        .yellow, to: "Your storefront is \(storefront.country.alpha2) now (\(last)).")
        + "\nPrices are that country's from now on.")
    turns.refresh()
  }
}
