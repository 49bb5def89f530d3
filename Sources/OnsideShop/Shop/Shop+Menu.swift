import OnsideClient
import OnsideDomain

/// The menu that everything begins at.
extension Shop {
  /// Something that can be chosen.
  enum Choice: Character, CaseIterable {
    case browse = "b"
    case transactions = "t"
    case receipts = "r"
    case cards = "c"
    case restore = "o"
    case approvals = "a"
    case externalLogin = "e"
    case phoneLogin = "p"
    case storeLogin = "s"
    case logOut = "l"
    case quit = "q"

    var title: String {
      switch self {
      case .browse: "browse and buy"
      case .transactions: "transactions"
      case .receipts: "receipts"
      case .cards: "saved cards"
      case .restore: "restore purchases"
      case .approvals: "approve or decline purchases (you play the parent)"
      case .externalLogin: "log in with the app's own identifier"
      case .phoneLogin: "log in by phone"
      case .storeLogin: "log in through the store app"
      case .logOut: "log out"
      case .quit: "quit"
      }
    }
  }

  /// Shows the menu until the person quits.
  func showMenu() async {
    while true {
      let answer = await ask(
        "Choice: ", below: { await self.menu }, or: "Enter one of the letters, or q to quit."
      ) { Self.choice($0, among: choices) }
      switch answer {
      case .end, .value(.quit): return
      case .again, .empty: continue
      case .value(let choice): await perform(choice)
      }
    }
  }

  /// What can be done now.
  private var choices: [Choice] {
    guard let profile = marketplace.profile else { return [.browse] + loginChoices + [.quit] }
    var choices: [Choice] = [.browse, .transactions, .receipts]
    if profile.kind == .regular, !marketplace.isLocalTesting { choices.append(.cards) }
    choices.append(.restore)
    if marketplace.isLocalTesting { choices.append(.approvals) }
    return choices + [.logOut, .quit]
  }

  var loginChoices: [Choice] {
    marketplace.isLocalTesting ? [.phoneLogin] : [.externalLogin, .phoneLogin, .storeLogin]
  }

  /// A letter, or the number of a line.
  static func choice(_ text: String, among choices: [Choice]) -> Choice? {
    if let place = place(text, of: choices.count) { return choices[place] }
    return choices.first { String($0.rawValue) == text.lowercased() }
  }

  func lines(_ choices: [Choice]) -> String {
    choices.map { "  \(terminal.style.apply(.bold, to: String($0.rawValue)))  \($0.title)\n" }
      .joined()
  }

  private var menu: String {
    "\n" + terminal.style.apply(.bold, to: who) + "\n" + lines(choices)
  }

  /// Who is logged in.
  var who: String {
    guard let profile = marketplace.profile else { return "Not logged in" }
    let unfinished = marketplace.transactions.filter(\.isFinal).count
    let country = profile.storefront.country.alpha2
    return "Logged in as \(Self.name(profile)), storefront \(country)"
      + (unfinished > 0 ? ", \(unfinished) to finish" : "")
  }

  static func name(_ profile: ProfileRecord) -> String {
    let name = profile.externalUserID ?? profile.phoneNumberHint ?? profile.id
    return PlainText.of(name) + (profile.kind == .external ? " (external)" : "")
  }

  private func perform(_ choice: Choice) async {
    switch choice {
    case .browse: await browse()
    case .transactions: await showTransactions()
    case .receipts: await showReceipts()
    case .cards: await lookAfterCards()
    case .restore: await restore()
    case .approvals: await decide()
    case .externalLogin, .phoneLogin, .storeLogin: await logIn(choice)
    case .logOut: await logOut()
    case .quit: break
    }
  }

  private func lookAfterCards() async {
    do throws(OnsideError) {
      try await marketplace.presentPaymentMethods()
    } catch {
      complain(error)
    }
  }

  private func restore() async {
    outcomes.forget(.restore)
    do throws(OnsideError) {
      try await marketplace.restoreCompletedTransactions()
    } catch {
      return complain(error)
    }
    guard await outcomes.wait(for: .restore) else {
      return say("The restore takes a while; you are told here when it is through.")
    }
  }
}
