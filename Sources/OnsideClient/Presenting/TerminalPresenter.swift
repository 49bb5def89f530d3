import OnsideDomain

/// Shows the marketplace's screens to a person at a terminal: questions, menus, and an empty line
/// or the end of the input for "no".
public final class TerminalPresenter: Presenter {
  private let terminal: any Terminal
  private let turns = TerminalTurns()
  private let applePayToken: (@Sendable () -> String)?
  private let openURL: @Sendable (String) async -> Bool
  private let keepReceipt: @Sendable (ReceiptRecord) async -> String?

  /// A presenter at a terminal.
  ///
  /// - Parameters:
  ///   - applePayToken: What a sandbox's Apple Pay sheet returns; nil: Apple Pay isn't available.
  ///   - openURL: Opens the store app; false: it isn't there.
  ///   - keepReceipt: Keeps a receipt, and says where; nil: it wasn't kept.
  public init(
    _ terminal: any Terminal, applePayToken: (@Sendable () -> String)? = nil,
    openURL: @escaping @Sendable (String) async -> Bool = { _ in false },
    keepReceipt: @escaping @Sendable (ReceiptRecord) async -> String? = { _ in nil }
  ) {
    self.terminal = terminal
    self.applePayToken = applePayToken
    self.openURL = openURL
    self.keepReceipt = keepReceipt
  }

  public var isApplePayAvailable: Bool { applePayToken != nil }

  public func phoneNumber(_ screen: PhoneNumberScreen) async -> PhoneNumberAnswer {
    await onScreen {
      await say("Log in to \(screen.appID)", screen.problem)
      guard let number = await ask("Phone number (+49…), empty to cancel: ") else {
        return .cancel
      }
      return .number(number)
    }
  }

  public func phoneCode(_ screen: PhoneCodeScreen) async -> PhoneCodeAnswer {
    await onScreen {
      await say("A code was sent to \(screen.phoneNumber).", screen.problem)
      if let tries = screen.triesLeft { await say("Tries left: \(tries)") }
      let answer = await ask("Code, r to send another, n for another number, empty to cancel: ")
      switch answer {
      case nil: return .cancel
      case "r": return .resend
      case "n": return .otherNumber
      case .some(let code): return .code(code)
      }
    }
  }

  public func open(url: String) async -> Bool {
    await onScreen {
      await say("Opening the store app: \(url)")
      return await openURL(url)
    }
  }

  public func payment(_ sheet: PaymentSheet) async -> PaymentAnswer {
    await onScreen {
      await say("Buy \(sheet.product.title) for \(sheet.product.price)", sheet.problem)
      guard let method = await choose(sheet.methods, Self.name) else { return .cancel }
      switch method {
      case .applePay: return .applePay(token: applePayToken?() ?? "")
      case .savedCard(let card): return .savedCard(id: card.id)
      case .newCard: return await askCard().map(PaymentAnswer.newCard) ?? .cancel
      }
    }
  }

  public func paymentMethods(_ screen: PaymentMethodsScreen) async -> PaymentMethodsAnswer {
    await onScreen {
      await say("Your cards", screen.problem)
      for (place, card) in screen.cards.enumerated() {
        await say("  \(place + 1)  \(Self.name(card))\(card.isDefault ? " (default)" : "")")
      }
      while let line = await ask("a to add, d N for the default, r N to remove, empty when done: ")
      {
        if line == "a" { return await askCard().map(PaymentMethodsAnswer.add) ?? .done }
        let parts = line.split(separator: " ")
        if parts.count == 2, let card = Self.choice(String(parts[1]), of: screen.cards) {
          let id = card.id
          if parts[0] == "r" { return .remove(cardID: id) }
          if parts[0] == "d" { return .makeDefault(cardID: id) }
        }
        await say("Enter a, or d or r and the number of a card, as \"r 1\".")
      }
      return .done
    }
  }

  public func receiptReminder(_ screen: ReceiptReminderScreen) async -> ReceiptReminderAnswer {
    await onScreen {
      await say("Thank you for buying \(screen.transaction.payment.product.title).")
      await say("The purchase isn't listed in the Onside Store by itself: keep the receipt.")
      return await ask("r for the receipt, empty to skip: ") == "r" ? .receipt : .skip
    }
  }

  public func receipt(_ receipt: ReceiptRecord) async {
    await onScreen {
      await terminal.write(
        receipt.text.split(separator: "\n", omittingEmptySubsequences: false)
          .map { Self.plain(String($0)) }.joined(separator: "\n"))
      if let place = await keepReceipt(receipt) { await say("Kept in \(place)") }
    }
  }

  // MARK: Questions

  private func onScreen<Answer: Sendable>(_ body: () async -> Answer) async -> Answer {
    await turns.take()
    let answer = await body()
    await turns.give()
    return answer
  }

  private func say(_ text: String, _ problem: String? = nil) async {
    await terminal.write(Self.plain(text) + "\n")
    if let problem { await terminal.write("! " + Self.plain(problem) + "\n") }
  }

  /// The answer without spaces around it; nil for an empty one.
  private func ask(_ question: String) async -> String? {
    await terminal.write(question)
    guard !Task.isCancelled, let line = await terminal.readLine() else { return nil }
    let characters = line.drop { $0 == " " }
    let end = characters.lastIndex { $0 != " " && $0 != "\r" }
    return end.map { String(characters[...$0]) }
  }

  private func choose<Choice>(_ choices: [Choice], _ name: (Choice) -> String) async -> Choice? {
    for (place, choice) in choices.enumerated() { await say("  \(place + 1)  \(name(choice))") }
    while let line = await ask("Number, empty to cancel: ") {
      if let choice = Self.choice(line, of: choices) { return choice }
      await say("Enter a number from 1 to \(choices.count).")
    }
    return nil
  }

  /// What has this number, from 1; nil: it isn't one, or nothing has it.
  private static func choice<Choice>(_ number: String, of choices: [Choice]) -> Choice? {
    guard let number = Int(number), number > 0, number <= choices.count else { return nil }
    return choices[number - 1]
  }

  private func askCard() async -> CardEntry? {
    guard let number = await ask("Card number: "), let expiry = await ask("Expires (MM/YYYY): "),
      let code = await ask("Security code: ")
    else { return nil }
    let parts = expiry.split(separator: "/").map { Int($0.filter { $0 != " " }) ?? 0 }
    let year = parts.count == 2 ? parts[1] : 0
    return CardEntry(
      number: number, expiryMonth: parts.first ?? 0,
      // Cards have two digits of it.
      expiryYear: (1..<100).contains(year) ? 2_000 + year : year, securityCode: code)
  }

  private static func name(_ method: PaymentSheet.Method) -> String {
    switch method {
    case .applePay: "Apple Pay"
    case .savedCard(let card): name(card)
    case .newCard: "Another card"
    }
  }

  private static func name(_ card: CardRecord) -> String {
    let month = card.expiryMonth < 10 ? "0\(card.expiryMonth)" : "\(card.expiryMonth)"
    return "\(card.brand) ending in \(card.lastFour), \(month)/\(card.expiryYear)"
  }

  /// Text of others without what a terminal would act on.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
