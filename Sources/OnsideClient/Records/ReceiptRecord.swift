import OnsideDomain
import OnsideProto

/// A proof of payment, for people.
public struct ReceiptRecord: Sendable, Hashable {
  /// The number to ask about: the transaction's identifier.
  public let number: String

  /// The app in which it was bought.
  public let appName: String

  /// What was bought, for people.
  public let productTitle: String

  /// What was paid for.
  public let transaction: TransactionRecord

  /// "Apple Pay", or a card's brand and last four digits.
  public let paymentMethod: String

  /// A receipt that doesn't come from the service.
  init(_ transaction: TransactionRecord, appName: String, paidBy paymentMethod: String) {
    number = transaction.id
    self.appName = appName
    productTitle = transaction.productIdentifier
    self.transaction = transaction
    self.paymentMethod = paymentMethod
  }

  init(_ message: Receipt?) throws(OnsideError) {
    guard let message else { throw .invalidResponse("it has no receipt") }
    number = message.number
    appName = message.appName
    productTitle = message.productTitle
    transaction = try TransactionRecord(message.transaction)
    paymentMethod = message.paymentMethod
  }

  /// The receipt as a person reads it, in lines that end with a line feed.
  public var text: String {
    let paid = Timestamp(milliseconds: transaction.createdAtMilliseconds)
    var lines = [
      "Receipt \(number)", "", "App:      \(appName)", "Product:  \(productTitle)",
      "Price:    \(transaction.price)", "Paid by:  \(paymentMethod)", "Date:     \(paid)",
      "Country:  \(transaction.storefront.country.alpha2)",
    ]
    if let reference = transaction.appAccountToken { lines.append("For:      \(reference)") }
    return lines.map { $0 + "\n" }.joined()
  }
}
