import OnsideDomain

/// Where products and purchases come from: the service, or a local file. What is above it is the
/// same for both.
protocol Backend: Sendable {
  /// True: a local file, without external login, cards, history and analytics.
  var isLocal: Bool { get }
  var appID: String { get }

  /// How many logouts there were: a login that was asked for before one comes to nothing.
  var logouts: UInt64 { get }

  /// What is kept between two runs of the app; nil while nobody is signed in.
  var session: Session? { get }

  /// - Throws: `profileUnavailable` if the session was made, but its profile can't be loaded; the
  ///   session is ended then. `superseded` after a logout.
  func logIn(
    with credential: Credential, countryHint: String?, after logouts: UInt64
  ) async throws(OnsideError) -> ProfileRecord
  func resume(_ session: Session) throws(OnsideError)
  func profile() async throws(OnsideError) -> ProfileRecord

  /// Forgets the user at once; returns the session that has to be ended.
  func forgetSession() -> Session?
  func end(_ session: Session) async throws(OnsideError)

  func sendPhoneCode(to phoneNumber: String) async throws(OnsideError) -> PhoneChallenge
  func beginStoreLogin(callbackScheme: String) async throws(OnsideError) -> StoreLoginStart

  func products(_ identifiers: [String], countryHint: String?) async throws(OnsideError)
    -> ProductList

  func purchase(_ request: PurchaseRequest) async throws(OnsideError) -> TransactionRecord
  func finish(transactionID: String) async throws(OnsideError)
  func unfinishedTransactions() async throws(OnsideError) -> [TransactionRecord]

  /// The unfinished first, then the finished, newest first.
  func allTransactions() async throws(OnsideError) -> [TransactionRecord]

  /// What the user owns for good.
  func purchases() async throws(OnsideError) -> [TransactionRecord]

  /// Runs until it is cancelled or ends with an error.
  func watch(from cursor: String?, _ take: (WatchNotice) async -> Void) async throws(OnsideError)
  func receipt(transactionID: String) async throws(OnsideError) -> ReceiptRecord
  func signedHistory() async throws(OnsideError) -> String

  func cards() async throws(OnsideError) -> [CardRecord]
  func addCard(_ card: CardEntry) async throws(OnsideError) -> CardRecord
  func removeCard(id: String) async throws(OnsideError)
  func setDefaultCard(id: String) async throws(OnsideError) -> CardRecord

  func attribution(installationID: String) async throws(OnsideError) -> String?
  func track(_ events: [TrackedEvent], installationID: String) async throws(OnsideError) -> Int
}

/// The service, through its client.
extension OnsideClient: Backend {
  var isLocal: Bool { false }
  var appID: String { configuration.appID }

  func logIn(
    with credential: Credential, countryHint: String?, after logouts: UInt64
  ) async throws(OnsideError) -> ProfileRecord {
    try await logIn(with: credential, countryHint: countryHint, after: Optional(logouts))
  }

  func finish(transactionID: String) async throws(OnsideError) {
    let _: TransactionRecord = try await finish(transactionID: transactionID)
  }

  func unfinishedTransactions() async throws(OnsideError) -> [TransactionRecord] {
    try await transactions(unfinishedOnly: true)
  }

  func allTransactions() async throws(OnsideError) -> [TransactionRecord] {
    try await transactions()
  }
}
