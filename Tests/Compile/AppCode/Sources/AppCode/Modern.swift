// The same with asynchronous functions: this project's addition.

#if LITE
  import OnsideKitLite
#else
  import OnsideKit
#endif

@MainActor func shop(_ user: String) async throws {
  try await Onside.logIn()
  let response = try await Onside.products(for: ["coins", "gems"])
  guard let coins = response.products.first else { return }
  var payment = OnsidePayment(product: coins)
  payment.appAccountToken = user
  let queue = Onside.defaultPaymentQueue()
  do {
    try await queue.add(payment)
  } catch .applePayRequired {
    return
  }
  for await transaction in Onside.transactionUpdates {
    guard transaction.transactionState != .purchasing else { continue }
    queue.finishTransaction(transaction)
    break
  }
  try await queue.restoreCompletedTransactions()
  _ = try await Onside.signedInAppsHistory().string
  _ = try await Onside.attributionMetadata().refererUrl
  try await Onside.managePaymentMethods()
  try Onside.trackEvent("level_up", parameters: ["level": 3, "name": "cave", "won": true])
  Onside.logout()
}

@MainActor func configureByHand() async {
  Onside.initialize(
    configuration: OnsideConfiguration(service: "localhost:9443", appID: "com.example.shop"))
  await Onside.shutDown()
}
