import OnsideDomain
import Synchronization

/// What the service tells while a session exists.
extension Marketplace {
  /// Watches until the session is over. After a lost connection it goes on where it stopped.
  func watch(in run: UInt64) async {
    var cursor: String?
    var attempt = 0
    while isCurrent(run) {
      do throws(OnsideError) {
        let isResumed = cursor != nil
        var taken = cursor
        defer { cursor = taken }
        try await backend.watch(from: cursor) { notice in
          // A watch that goes on from its cursor has missed nothing.
          if notice.event != .begun || !isResumed { await take(notice, in: run) }
          taken = notice.cursor
          attempt = 0
        }
      } catch {
        note(error, in: run)
        // What happened in between isn't known any more: everything is listed again.
        if error.reason == .cursorInvalid { cursor = nil }
        // Without a watch, what is unfinished comes at least once.
        if cursor == nil && attempt == 0 { await list(in: run) }
      }
      guard await pauseAfter(attempt, in: run) else { return }
      attempt += 1
    }
  }

  private func take(_ notice: WatchNotice, in run: UInt64) async {
    switch notice.event {
    case .begun: await list(in: run)
    case .transaction(let record): await take(record, in: run)
    case .storefront(let storefront): update(in: run) { $0.moveStorefront(storefront) }
    }
  }

  /// Takes what is unfinished, and the profile as it is now; again and again while the service
  /// can't be reached.
  private func list(in run: UInt64) async {
    var attempt = 0
    while isCurrent(run) {
      do throws(OnsideError) {
        let storefront = try await backend.profile().storefront
        update(in: run) { $0.moveStorefront(storefront) }
        for record in try await backend.unfinishedTransactions() {
          await take(record, in: run)
        }
        return
      } catch {
        note(error, in: run)
        guard error.isTransient, await pauseAfter(attempt, in: run) else { return }
        attempt += 1
      }
    }
  }

  /// Takes what the service says about one transaction.
  func take(_ record: TransactionRecord, in run: UInt64) async {
    let taken = update(in: run) { $0.queue.take(record) }
    switch taken {
    case nil, .held: return
    case .known(let bought):
      if let bought { remindOfReceipt(bought, in: run) }
    case .unknown:
      guard let product = await products(of: [record], in: run).first else { return }
      update(in: run) { $0.queue.adopt(record, product) }
    }
  }

  /// The products of transactions, one for each; what isn't sold any more, and what can't be
  /// loaded, as the transaction knows it.
  func products(of records: [TransactionRecord], in run: UInt64) async -> [ProductRecord] {
    var products: [String: ProductRecord] = [:]
    let identifiers = Set(records.map(\.productIdentifier)).sorted()
    for start in stride(from: 0, to: identifiers.count, by: 100) {
      let part = Array(identifiers[start..<min(start + 100, identifiers.count)])
      for product in await load(part, in: run) { products[product.identifier] = product }
    }
    return records.map { products[$0.productIdentifier] ?? ProductRecord(of: $0) }
  }

  private func load(_ identifiers: [String], in run: UInt64) async -> [ProductRecord] {
    for attempt in 0..<3 {
      do throws(OnsideError) {
        return try await backend.products(identifiers, countryHint: nil).products
      } catch {
        note(error, in: run)
        guard error.isTransient, await pauseAfter(attempt, in: run) else { return [] }
      }
    }
    return []
  }
}

extension ProductRecord {
  /// What a transaction knows of its product.
  fileprivate init(of record: TransactionRecord) {
    self.init(
      identifier: record.productIdentifier, title: record.productIdentifier,
      kind: record.productKind, price: record.price, storefront: record.storefront)
  }
}
