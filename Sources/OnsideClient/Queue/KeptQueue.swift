#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain

/// A queue as it lies on disk: JSON, with a version of its own.
struct KeptQueue: Codable {
  static let version = 1

  var version = KeptQueue.version
  var profileID: String
  var entries: [Entry]

  struct Entry: Codable {
    var id: UUID
    var step: String
    var round: Int
    var changedAt: Int64
    var method: Method?
    var product: Product
    var appAccountToken: String?
    var state: String
    var isDeferred: Bool
    var storefront: Place
    var transactionID: String?
    var originalTransactionID: String?
    var failure: Failure?
  }

  struct Method: Codable {
    var kind: String
    var value: String
  }

  struct Place: Codable {
    var id: String
    var country: String
  }

  struct Amount: Codable {
    var minorUnits: Int64
    var currency: String
  }

  struct PeriodPrice: Codable {
    var price: Amount
    var period: String
  }

  struct Product: Codable {
    var identifier: String
    var title: String
    var description: String
    var kind: UInt8
    var price: Amount
    var group: String?
    var period: String?
    var introductory: PeriodPrice?
    var discounted: PeriodPrice?
    var icon: String?
    var storefront: Place
  }

  struct Failure: Codable {
    var code: String
    var message: String
    var reason: String?
  }

  init(profileID: String, entries: [QueueEntry]) {
    self.profileID = profileID
    self.entries = entries.map(Entry.init)
  }

  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Strings, integers and their arrays always have a JSON form.
    guard let data = try? encoder.encode(self) else { return [] }
    return Array(data)
  }

  /// The entries that were kept.
  ///
  /// - Throws: `storeFailed` for what a newer library wrote, or something else.
  static func entries(_ bytes: [UInt8], of profileID: String) throws(OnsideError) -> [QueueEntry] {
    guard let kept = try? JSONDecoder().decode(KeptQueue.self, from: Data(bytes)) else {
      throw OnsideError(.storeFailed, "the kept queue can't be read; update this library")
    }
    guard kept.version == version else {
      throw OnsideError(
        .storeFailed,
        "the kept queue is of version \(kept.version), this library reads \(version); update it")
    }
    guard kept.profileID == profileID else {
      throw OnsideError(.storeFailed, "the kept queue is of another profile")
    }
    return kept.entries.compactMap(QueueEntry.init)
  }
}
