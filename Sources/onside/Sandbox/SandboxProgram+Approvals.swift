import Flags
import OnsideProto
import RPC

extension SandboxProgram {
  func listLogins(_ service: SandboxServiceClient) async throws(RPCError) {
    let logins = try await service.listStoreLogins(
      ListStoreLoginsRequest(appID: givenApp), options: callOptions
    ).logins
    var table = Table(header: ["login", "app", "begun", "good until", "url"])
    for login in logins {
      table.add([
        login.loginID, login.appID, time(login.begunAtMs), time(login.expiresAtMs), login.url,
      ])
    }
    show(logins.map(JSON.object), logins.isEmpty ? "no login waits" : table.text)
  }

  func listDeferred(_ service: SandboxServiceClient) async throws(RPCError) {
    let purchases = try await service.listDeferredPurchases(
      ListDeferredPurchasesRequest(appID: givenApp), options: callOptions
    ).purchases
    var table = Table(
      header: ["purchase", "app", "profile", "product", "price", "made"], rightAligned: [4])
    for purchase in purchases {
      let transaction = purchase.transaction ?? Transaction()
      table.add([
        transaction.transactionID, purchase.appID, purchase.profileID,
        transaction.productIdentifier, transaction.priceText, time(transaction.createdAtMs),
      ])
    }
    show(
      purchases.map(JSON.object), purchases.isEmpty ? "no purchase waits for approval" : table.text)
  }

  func listAccount(_ service: SandboxServiceClient) async throws(RPCError) {
    let purchases = try await service.listAccountPurchases(
      ListAccountPurchasesRequest(phoneNumber: arguments[flags.number]), options: callOptions
    ).purchases
    var table = Table(
      header: ["purchase", "app", "product", "price", "state", "made"], rightAligned: [3])
    for purchase in purchases {
      let transaction = purchase.transaction ?? Transaction()
      table.add([
        transaction.transactionID, purchase.appID, transaction.productIdentifier,
        transaction.priceText, transaction.stateText, time(transaction.createdAtMs),
      ])
    }
    show(purchases.map(JSON.object), purchases.isEmpty ? "no purchases" : table.text)
  }

  func approve(_ service: SandboxServiceClient) async throws {
    if let number = arguments[flags.phone] {
      return try await decideLogin(as: number, service)
    }
    if try await isLogin(service) {
      throw Failure(
        .usage,
        "\(arguments[flags.pending]) is a login; say with --phone NUMBER which account approves it")
    }
    try await decidePurchase(true, service)
  }

  func decline(_ service: SandboxServiceClient) async throws(RPCError) {
    if try await isLogin(service) { return try await decideLogin(as: "", service) }
    try await decidePurchase(false, service)
  }

  private func isLogin(_ service: SandboxServiceClient) async throws(RPCError) -> Bool {
    let logins = try await service.listStoreLogins(ListStoreLoginsRequest(), options: callOptions)
    return logins.logins.contains { $0.loginID == arguments[flags.pending] }
  }

  private func decideLogin(
    as number: String, _ service: SandboxServiceClient
  ) async throws(RPCError) {
    let answer = try await service.decideStoreLogin(
      DecideStoreLoginRequest(loginID: arguments[flags.pending], phoneNumber: number),
      options: callOptions)
    show(
      ["callback_url": answer.callbackURL],
      (number.isEmpty ? "refused" : "approved as \(number)") + "\nopen \(answer.callbackURL)")
  }

  private func decidePurchase(
    _ approve: Bool, _ service: SandboxServiceClient
  ) async throws(RPCError) {
    let answer = try await service.decideDeferredPurchase(
      DecideDeferredPurchaseRequest(transactionID: arguments[flags.pending], approve: approve),
      options: callOptions)
    let transaction = answer.transaction ?? Transaction()
    show(
      JSON.object(transaction),
      "\(transaction.stateText): \(transaction.productIdentifier) for \(transaction.priceText)\n"
        + "transaction \(transaction.transactionID)")
  }
}
