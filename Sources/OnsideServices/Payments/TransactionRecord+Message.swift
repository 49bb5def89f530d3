import OnsideDomain
import OnsideProto
import OnsideStore

// The numbers of the domain's enums are those of the messages.

extension TransactionRecord {
  /// The transaction as calls answer it.
  var message: OnsideProto.Transaction {
    OnsideProto.Transaction(
      transactionID: id.description, originalTransactionID: originalID.description,
      productIdentifier: productIdentifier,
      productKind: OnsideProto.ProductKind(rawValue: Int32(productKind.rawValue)),
      state: TransactionState(rawValue: Int32(lifecycle.state.rawValue)), price: price.message,
      storefront: storefront.message, appAccountToken: appAccountToken,
      createdAtMs: createdAt.milliseconds, updatedAtMs: updatedAt.milliseconds,
      finished: lifecycle.isFinished,
      failureReason: lifecycle.failureReason.map {
        OnsideProto.FailureReason(rawValue: Int32($0.rawValue))
      } ?? .unspecified)
  }
}

extension OnsideDomain.Money {
  /// The amount as calls carry it.
  var message: OnsideProto.Money {
    OnsideProto.Money(
      minorUnits: minorUnits, currencyCode: currency.code, exponent: UInt32(currency.exponent))
  }
}

extension OnsideDomain.Storefront {
  /// The storefront as calls carry it.
  var message: OnsideProto.Storefront {
    OnsideProto.Storefront(id: id, countryCode: country.alpha2)
  }
}
