import OnsideDomain

extension SQLiteConnection {
  /// A query for the columns of `SQLiteStatement.transaction()`, with what follows them in it.
  func selectTransactions(_ rest: StaticString) throws(StoreError) -> SQLiteStatement {
    try statement(
      rest,
      behind: """
        SELECT profile_id, transaction_id, original_id, app_id, product_id, product_kind, state,
          failure_reason, is_finished, minor_units, currency, storefront_id, country,
          app_account_token, created_at_ms, updated_at_ms, payment_method, card_brand,
          card_last_four

        """)
  }
}

extension SQLiteStatement {
  /// The transaction of a row with the columns of `selectTransactions`, in their order.
  func transaction() throws(StoreError) -> TransactionRecord {
    TransactionRecord(
      id: try id(1), originalID: try id(2), profileID: try id(0), appID: text(3),
      productIdentifier: text(4), productKind: try known(ProductKind(rawValue: small(5)), 5),
      lifecycle: try lifecycle(), price: try price(), storefront: try storefront(11, 12),
      appAccountToken: optionalText(13), payment: try payment(), createdAt: timestamp(14),
      updatedAt: timestamp(15))
  }

  /// The intent of a row with the columns of `transaction()` and behind them: is_exclusive,
  /// payment_token, idempotency_key, fingerprint.
  func intent() throws(StoreError) -> PurchaseIntent {
    PurchaseIntent(
      transactionID: try id(1), profileID: try id(0), appID: text(3), idempotencyKey: text(21),
      fingerprint: Array(bytes(22)), productIdentifier: text(4),
      productKind: try known(ProductKind(rawValue: small(5)), 5), isExclusive: integer(19) == 1,
      price: try price(), storefront: try storefront(11, 12), appAccountToken: optionalText(13),
      payment: try payment(), paymentToken: text(20), createdAt: timestamp(14))
  }

  private func lifecycle() throws(StoreError) -> PurchaseLifecycle {
    let state = try known(PurchaseState(rawValue: small(6)), 6)
    let reason = isNull(7) ? nil : try known(FailureReason(rawValue: small(7)), 7)
    return try known(
      PurchaseLifecycle(state: state, failureReason: reason, isFinished: integer(8) == 1), 6)
  }

  private func payment() throws(StoreError) -> PaymentDescription {
    let method = try known(PaymentMethodKind(rawValue: small(16)), 16)
    guard !isNull(17) else { return PaymentDescription(method: method) }
    let brand = try known(CardBrand(rawValue: small(17)), 17)
    return PaymentDescription(
      method: method, card: CardLabel(brand: brand, lastFour: text(18)))
  }

  private func price() throws(StoreError) -> Money {
    Money(minorUnits: integer(9), currency: try known(Currency(text(10)), 10))
  }
}
