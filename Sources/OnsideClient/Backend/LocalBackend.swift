#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Dispatch
import OnsideCatalogue
import OnsideDomain
import Synchronization

/// Sells what a `.storekit` file has, without a service. Its purchases are kept with the queue.
final class LocalBackend: Backend {
  fileprivate struct State {
    var profile: ProfileRecord?
    var logouts: UInt64 = 0
    var ledger = LocalLedger()
    var isLoaded = false
    var watchers: [UUID: (profileID: String, AsyncStream<TransactionRecord>.Continuation)] = [:]
  }

  let appID: String
  let file: StoreKitFile

  /// By the bytes of their identifiers: two spellings of one text are two identifiers.
  private let products: [[UInt8]: ProductRecord]
  private let now: @Sendable () -> Int64
  fileprivate let store: any StateStore
  fileprivate let state = Mutex(State())

  /// - Throws: `failed` with file, line and reason.
  init(
    path: String, appID: String, store: any StateStore, now: @escaping @Sendable () -> Int64
  ) throws(OnsideError) {
    do throws(CatalogueError) {
      file = try StoreKitFile(path: path)
    } catch {
      throw OnsideError(.failed, error.description)
    }
    self.appID = appID
    self.now = now
    self.store = store
    let storefront = file.storefront.storefront
    products = Dictionary(
      file.products.map { (Array($0.identifier.utf8), ProductRecord($0, in: storefront)) },
      uniquingKeysWith: { first, _ in first })
  }

  var isLocal: Bool { true }
  var logouts: UInt64 { state.withLock { $0.logouts } }
  var session: Session? { nil }

  // MARK: Login

  func logIn(
    with credential: Credential, countryHint: String?, after logouts: UInt64
  ) async throws(OnsideError) -> ProfileRecord {
    guard case .phone(let number, let code) = credential else {
      throw Marketplace.notLocal("a login with a \(credential)")
    }
    guard code.utf8.count == 6, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw OnsideError(.refused, "enter any six digits", reason: .phoneCodeWrong)
    }
    await loadLedger()
    let tail = String(number.filter { $0.isASCII && $0.isNumber }.suffix(12))
    let padded = String(repeating: "0", count: 12 - tail.utf8.count) + tail
    let profile = ProfileRecord(
      id: "00000000-0000-4000-8000-\(padded)", kind: .regular, appID: appID,
      phoneNumberHint: number, storefront: file.storefront.storefront,
      createdAtMilliseconds: now())
    let isInTime = state.withLock { state in
      guard state.logouts == logouts else { return false }
      state.profile = profile
      return true
    }
    guard isInTime else { throw Marketplace.loggedOut }
    return profile
  }

  func resume(_ session: Session) throws(OnsideError) {
    throw Marketplace.notLocal("a kept session")
  }

  func profile() async throws(OnsideError) -> ProfileRecord {
    guard let profile = state.withLock({ $0.profile }) else {
      throw OnsideError(.notSignedIn, "nobody is signed in")
    }
    return profile
  }

  func forgetSession() -> Session? {
    let watchers = state.withLock { state in
      state.profile = nil
      state.logouts += 1
      defer { state.watchers = [:] }
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.1.finish() }
    return nil
  }

  func end(_ session: Session) async throws(OnsideError) {}

  /// The number itself is the challenge: any six digits are its code.
  func sendPhoneCode(to phoneNumber: String) async throws(OnsideError) -> PhoneChallenge {
    let digits = phoneNumber.dropFirst().utf8
    guard phoneNumber.hasPrefix("+"), (8...15).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw OnsideError(
        .refused, "enter \"+\", the country code and the number, 8 to 15 digits in all",
        reason: .phoneNumberInvalid)
    }
    let time = now()
    return PhoneChallenge(
      id: phoneNumber, expiresAtMilliseconds: time + 600_000, resendAfterMilliseconds: time)
  }

  func beginStoreLogin(callbackScheme: String) async throws(OnsideError) -> StoreLoginStart {
    throw Marketplace.notLocal("the store app")
  }

  // MARK: Products and purchases

  func products(
    _ identifiers: [String], countryHint: String?
  ) async throws(OnsideError) -> ProductList {
    if file.settings.enabledErrors.contains("Load Products") {
      throw OnsideError(.unavailable, "the file says that loading products fails")
    }
    var seen: Set<[UInt8]> = []
    let wanted = identifiers.filter { seen.insert(Array($0.utf8)).inserted }
    return ProductList(
      products: wanted.compactMap(product),
      invalidIdentifiers: wanted.filter { product($0) == nil }, unsupportedIdentifiers: [],
      storefront: file.storefront.storefront)
  }

  private func product(_ identifier: String) -> ProductRecord? { products[Array(identifier.utf8)] }

  func purchase(_ request: PurchaseRequest) async throws(OnsideError) -> TransactionRecord {
    let profile = try await profile()
    guard product(request.product.identifier) != nil else {
      throw OnsideError(.refused, "the file has no such product", reason: .productNotFound)
    }
    let settings = file.settings
    let fails = settings.failsTransactions || settings.enabledErrors.contains("Purchase")
    let outcome: PaymentOutcome =
      fails ? .failed(.declined) : settings.asksToBuy ? .needsApproval : .paid
    let result = state.withLock { state in
      state.ledger.purchase(
        request, of: profile.id, outcome: outcome, at: now(),
        id: UUID().uuidString.lowercased())
    }
    await saveLedger()
    return try result.get()
  }

  func finish(transactionID: String) async throws(OnsideError) {
    let profile = try await profile()
    state.withLock { state in
      _ = state.ledger.finish(transactionID, of: profile.id, at: now())
    }
    await saveLedger()
  }

  /// What the file's "ask to buy" waits for.
  func decide(_ transactionID: String, approve: Bool) -> Bool {
    defer { Task { await saveLedger() } }
    return state.withLock { state in
      guard let change = state.ledger.decide(transactionID, approve: approve, at: now()) else {
        return false
      }
      for watcher in state.watchers.values where watcher.profileID == change.profileID {
        watcher.1.yield(change.record)
      }
      return true
    }
  }

  func unfinishedTransactions() async throws(OnsideError) -> [TransactionRecord] {
    let profile = try await profile()
    return state.withLock { $0.ledger.unfinished(of: profile.id) }
  }

  func allTransactions() async throws(OnsideError) -> [TransactionRecord] {
    let profile = try await profile()
    return state.withLock {
      $0.ledger.unfinished(of: profile.id) + $0.ledger.finished(by: profile.id)
    }
  }

  func purchases() async throws(OnsideError) -> [TransactionRecord] {
    let profile = try await profile()
    return state.withLock { $0.ledger.owned(by: profile.id) }
  }

  func watch(
    from cursor: String?, _ take: (WatchNotice) async -> Void
  ) async throws(OnsideError) {
    let profile = try await profile()
    let (stream, continuation) = AsyncStream.makeStream(of: TransactionRecord.self)
    let id = UUID()
    state.withLock { $0.watchers[id] = (profile.id, continuation) }
    defer { _ = state.withLock { $0.watchers.removeValue(forKey: id) } }
    await take(WatchNotice(cursor: "local", event: .begun))
    for await record in stream {
      await take(WatchNotice(cursor: "local", event: .transaction(record)))
    }
    throw OnsideError(.superseded, "the watch is over")
  }
}

extension LocalBackend {
  private static let ledgerName = "local-ledger"

  /// Reads the purchases of earlier runs, once.
  fileprivate func loadLedger() async {
    guard !state.withLock({ $0.isLoaded }) else { return }
    let kept = (try? await store.load(Self.ledgerName)).flatMap { KeptLedger.ledger($0) }
    state.withLock { state in
      if !state.isLoaded, let kept { state.ledger = kept }
      state.isLoaded = true
    }
  }

  /// What can't be kept is there until the process ends.
  fileprivate func saveLedger() async {
    let (revision, rows) = state.withLock {
      (DispatchTime.now().uptimeNanoseconds, $0.ledger.rows)
    }
    try? await store.save(
      Self.ledgerName, revision: revision, KeptLedger(rows: rows).bytes)
  }
}

extension ProductRecord {
  init(_ product: CatalogueProduct, in storefront: Storefront) {
    self.init(
      identifier: product.identifier, title: product.title, description: product.description,
      kind: product.kind, price: product.price, subscriptionGroup: product.subscriptionGroup,
      subscriptionPeriod: product.subscriptionPeriod,
      introductoryPrice: product.introductoryPrice.map {
        PeriodPrice(price: $0.price, period: $0.period)
      },
      discountedPrice: product.discountedPrice.map {
        PeriodPrice(price: $0.price, period: $0.period)
      }, iconURL: product.iconURL, storefront: storefront)
  }
}
