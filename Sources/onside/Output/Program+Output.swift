import Flags
import OnsideClient
import OnsideDomain

extension Program {
  private var printsJSON: Bool { arguments[options.json] }

  func show(_ profile: ProfileRecord) {
    if printsJSON { return print(JSON.text(JSON.object(profile)), terminator: "") }
    let user = profile.externalUserID.map { " (\($0))" } ?? ""
    print("\(profile.kind) profile \(profile.id)\(user)")
    print("app \(profile.appID), storefront \(profile.storefront.id)")
  }

  func show(_ list: ProductList) {
    if printsJSON { return print(JSON.text(JSON.object(list)), terminator: "") }
    var table = Table(header: ["product", "price", "kind", "title"], rightAligned: [1])
    for product in list.products {
      table.add([product.identifier, price(product), "\(product.kind)", product.title])
    }
    if !list.products.isEmpty { print(table.text, terminator: "") }
    for identifier in list.unsupportedIdentifiers {
      print("\(identifier): not for a profile of an external login")
    }
    for identifier in list.invalidIdentifiers {
      print("\(identifier): unknown, or not sold in the storefront \(list.storefront.id)")
    }
  }

  func show(_ transactions: [TransactionRecord]) {
    if printsJSON { return print(JSON.text(transactions.map(JSON.object)), terminator: "") }
    guard !transactions.isEmpty else { return print("no transactions") }
    var table = Table(
      header: ["transaction", "product", "price", "state", "finished", "made"], rightAligned: [2])
    for transaction in transactions {
      table.add([
        transaction.id, transaction.productIdentifier, "\(transaction.price)", state(transaction),
        transaction.isFinished ? "yes" : "no",
        Timestamp(milliseconds: transaction.createdAtMilliseconds).rfc3339,
      ])
    }
    print(table.text, terminator: "")
  }

  /// One transaction, and what became of it.
  func show(_ transaction: TransactionRecord, _ event: String) {
    if printsJSON { return print(JSON.text(JSON.object(transaction)), terminator: "") }
    print("\(event): \(transaction.productIdentifier) for \(transaction.price)")
    print("transaction \(transaction.id)")
  }

  private func state(_ transaction: TransactionRecord) -> String {
    transaction.failureReason.map { "\(transaction.state) (\($0))" } ?? "\(transaction.state)"
  }

  private func price(_ product: ProductRecord) -> String {
    product.subscriptionPeriod.map { "\(product.price) / \($0.iso8601)" } ?? "\(product.price)"
  }
}
