public import OnsideDomain

/// Takes payments.
///
/// It may take its time: it runs as a task, and whatever blocks in it has to do so on threads of
/// its own, never on an event loop.
public protocol PaymentProcessor: Sendable {
  /// Says whether a token is one that `authorize` could charge, before anything is written.
  ///
  /// It must not block. Nil: yes; else what is wrong with it and what to do, without the token.
  func problem(withToken token: String, of method: PaymentMethodKind) -> String?

  /// Keeps a card, to be charged later by its token.
  ///
  /// - Returns: The token: the same for the same card, at most 1,024 bytes, and nothing that the
  ///   card's number could be found from.
  /// - Throws: `ProcessorError`: `cardRefused` for a card that it doesn't take.
  func keepCard(_ card: CardDetails) async throws(ProcessorError) -> String

  /// Takes a payment, once for each key: the same key again gives the same outcome, and charges
  /// nobody again.
  ///
  /// - Throws: `ProcessorError` when there is no outcome to tell. The payment may or may not have
  ///   been taken then; the same request has to be made again until there is one.
  func authorize(_ payment: PaymentRequest) async throws(ProcessorError) -> PaymentOutcome
}

/// A payment to take.
public struct PaymentRequest: Sendable, Hashable {
  /// Stands for one purchase for ever: the identifier of its transaction, which is stored with the
  /// client's idempotency key before the processor is asked.
  public let key: String

  /// How the user pays.
  public let method: PaymentMethodKind

  /// The Apple Pay token, the card token, or a saved card's. A secret.
  public let token: String

  /// What is charged.
  public let amount: Money

  /// Describes a payment.
  public init(key: String, method: PaymentMethodKind, token: String, amount: Money) {
    self.key = key
    self.method = method
    self.token = token
    self.amount = amount
  }
}

extension PaymentRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the key and the amount; never the token.
  public var description: String { "payment \(key) of \(amount)" }

  /// Names the key and the amount; never the token.
  public var debugDescription: String { description }

  /// Shows the key and the amount; never the token.
  public var customMirror: Mirror { Mirror(self, children: ["key": key, "amount": amount]) }
}

/// Why a processor told no outcome, or kept no card. Without an outcome, the payment may have been
/// taken.
public struct ProcessorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure; more may come.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The processor didn't answer, or its answer was lost.
    public static let unavailable = Code(name: "unavailable")

    /// It doesn't take this card.
    public static let cardRefused = Code(name: "cardRefused")
  }

  /// The kind of failure.
  public let code: Code

  /// What happened, for logs; without secrets.
  public let message: String

  /// Describes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
