import OnsideDomain
import OnsideStore
import RPC

extension PurchaseFlow {
  static func keyReused(_ order: PurchaseOrder) -> RPCError {
    RPCError(
      .idempotencyKeyReused,
      "the idempotency key \(Escaping.quoted(order.idempotencyKey)) was used for a purchase with "
        + "other fields; make a new key for each purchase, and send the same fields with it again")
  }

  static func alreadyOwned(_ owned: TransactionRecord) -> RPCError {
    RPCError(
      .alreadyOwned,
      "the profile has bought \(Escaping.quoted(owned.productIdentifier)) in transaction "
        + "\(owned.id) already; restore that one",
      [
        "product_identifier": owned.productIdentifier, "transaction_id": owned.id.description,
        "state": String(describing: owned.lifecycle.state),
      ])
  }
}
