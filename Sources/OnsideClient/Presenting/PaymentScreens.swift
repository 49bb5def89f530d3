public import OnsideDomain

/// The sheet on which a user pays.
public struct PaymentSheet: Sendable, Hashable {
  /// A way to pay that this profile may use here.
  public enum Method: Sendable, Hashable {
    /// Apple Pay, which is available here.
    case applePay

    /// A card that the profile keeps.
    case savedCard(CardRecord)

    /// A card that the user enters now, which the profile keeps.
    case newCard
  }

  /// What is bought, at the price that is charged.
  public var product: ProductRecord

  /// Where it is bought.
  public var storefront: Storefront

  /// Whose purchase it is.
  public var profileKind: ProfileKind

  /// The ways to pay, the usual one first; at least one.
  public var methods: [Method]

  /// Why the sheet is shown again: a card that wasn't taken, a price that has changed. Nil at
  /// first.
  public var problem: String?

  /// Makes a sheet.
  public init(
    product: ProductRecord, storefront: Storefront, profileKind: ProfileKind, methods: [Method],
    problem: String? = nil
  ) {
    self.product = product
    self.storefront = storefront
    self.profileKind = profileKind
    self.methods = methods
    self.problem = problem
  }
}

/// What the user did on the payment sheet.
public enum PaymentAnswer: Sendable, Hashable {
  /// With what the Apple Pay sheet returned; at most 1,024 bytes.
  case applePay(token: String)

  /// With a card that the profile keeps.
  case savedCard(id: String)

  /// With a card that the user entered; it is kept, and then charged.
  case newCard(CardEntry)

  /// The user doesn't want to pay.
  case cancel

  /// The sheet couldn't be shown.
  case presentationFailed
}

/// A card as a user enters it. Never part of a description.
public struct CardEntry: Sendable, Hashable {
  /// 12 to 19 digits; spaces are left out.
  public var number: String

  /// 1 to 12.
  public var expiryMonth: Int

  /// Four digits.
  public var expiryYear: Int

  /// Three or four digits.
  public var securityCode: String

  /// Makes an entry.
  public init(number: String, expiryMonth: Int, expiryYear: Int, securityCode: String) {
    self.number = number
    self.expiryMonth = expiryMonth
    self.expiryYear = expiryYear
    self.securityCode = securityCode
  }
}

extension CardEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "card" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}

/// The screen with the cards that a profile keeps.
public struct PaymentMethodsScreen: Sendable, Hashable {
  /// Oldest first.
  public var cards: [CardRecord]

  /// Why the last wish wasn't carried out; nil: it was.
  public var problem: String?

  /// Makes a screen.
  public init(cards: [CardRecord], problem: String? = nil) {
    self.cards = cards
    self.problem = problem
  }
}

/// What the user wants done with the cards. The screen is shown again until `done`.
public enum PaymentMethodsAnswer: Sendable, Hashable {
  /// Keep another card.
  case add(CardEntry)

  /// Forget a card.
  case remove(cardID: String)

  /// Charge this card unless another is chosen.
  case makeDefault(cardID: String)

  /// Close the screen.
  case done
}

/// The screen that offers a receipt after an external profile's purchase.
public struct ReceiptReminderScreen: Sendable, Hashable {
  /// What was bought.
  public var transaction: PaymentTransaction

  /// Makes a screen.
  public init(transaction: PaymentTransaction) {
    self.transaction = transaction
  }
}

/// What the user did about a receipt.
public enum ReceiptReminderAnswer: Sendable, Hashable {
  /// Show the receipt, and keep it.
  case receipt

  /// No receipt.
  case skip
}
