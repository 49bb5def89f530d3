#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain

/// The purchases of local testing as they lie on disk: JSON.
struct KeptLedger: Codable {
  struct Row: Codable {
    var profileID: String
    var key: String
    var id: String
    var product: String
    var kind: UInt8
    var state: UInt8
    var price: KeptQueue.Amount
    var storefront: KeptQueue.Place
    var appAccountToken: String?
    var createdAt: Int64
    var updatedAt: Int64
    var isFinished: Bool
    var failure: UInt8?
  }

  var version = 1
  var rows: [Row]

  init(rows: [LocalLedger.Row]) {
    self.rows = rows.map { row in
      let record = row.record
      return Row(
        profileID: row.profileID, key: row.key, id: record.id, product: record.productIdentifier,
        kind: record.productKind.rawValue, state: record.state.rawValue,
        price: KeptQueue.Amount(record.price), storefront: KeptQueue.Place(record.storefront),
        appAccountToken: record.appAccountToken, createdAt: record.createdAtMilliseconds,
        updatedAt: record.updatedAtMilliseconds, isFinished: record.isFinished,
        failure: record.failureReason?.rawValue)
    }
  }

  var bytes: [UInt8] {
    // Strings, integers and their arrays always have a JSON form.
    guard let data = try? JSONEncoder().encode(self) else { return [] }
    return Array(data)
  }

  /// What was kept; nil if it can't be read.
  static func ledger(_ bytes: [UInt8]) -> LocalLedger? {
    guard let kept = try? JSONDecoder().decode(KeptLedger.self, from: Data(bytes)),
      kept.version == 1
    else { return nil }
    return LocalLedger(
      rows: kept.rows.compactMap { row in
        guard let kind = ProductKind(rawValue: row.kind), let price = row.price.money,
          let state = PurchaseState(rawValue: row.state), let place = row.storefront.storefront
        else { return nil }
        let record = TransactionRecord(
          id: row.id, productIdentifier: row.product, productKind: kind, state: state,
          price: price, storefront: place, appAccountToken: row.appAccountToken,
          createdAtMilliseconds: row.createdAt, updatedAtMilliseconds: row.updatedAt,
          isFinished: row.isFinished,
          failureReason: row.failure.flatMap(FailureReason.init(rawValue:)))
        return LocalLedger.Row(profileID: row.profileID, key: row.key, record: record)
      })
  }
}
