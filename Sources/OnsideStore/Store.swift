import OnsideDomain

/// Where profiles, purchases, revocations and token keys are kept.
///
/// Every method answers through a completion that runs once: on the target of its options, or on a
/// thread of the store. Without a target it may run before the method has returned. A write is
/// answered after it is durable. Any write may be sent again after a failure: it then finds what
/// the first one did.
///
/// The same calls with `async` in place of a completion are in an extension.
public protocol Store: PurchaseListStore, ProfileEventStore, CardStore, SigningKeyStore,
  AnalyticsStore
{
  // Profiles.

  /// Finds the external profile of a user of an app.
  func findProfile(
    appID: String, externalUserID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>)

  /// Finds a profile by its identifier.
  func findProfile(
    _ id: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>)

  /// Finds the regular profile of a phone number.
  func findProfile(
    phoneNumber: PhoneNumber, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>)

  /// Stores a profile unless its app has one with the same external user identifier, or there is
  /// one with the same phone number, which is the answer then. Any number of these at once give one
  /// profile.
  func findOrCreateProfile(
    _ proposed: ProfileRecord, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileCreation>)

  /// Sets a profile's storefront; answers the profile as it is then, nil: there is none.
  func setStorefront(
    _ storefront: Storefront, of id: ProfileID, at time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>)

  /// The storefronts that were set at `time` or later, the last one of each profile, by time.
  func storefrontChanges(
    since time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<[StorefrontChange]>)

  // Sessions.

  /// Stores the revocation of a session; storing it again changes nothing.
  func addRevocation(
    _ revocation: Revocation, options: RequestOptions, completion: @escaping StoreCompletion<Void>)

  /// Revocations in the order in which they were stored, up to `limit`; nil: from the first.
  func revocations(
    after position: RevocationPosition?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<RevocationPage>)

  /// Forgets up to `limit` revocations of sessions that expired before `time`; answers how many.
  func purgeRevocations(
    expiredBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>)

  /// All keys for tokens, by identifier.
  func tokenKeys(
    options: RequestOptions, completion: @escaping StoreCompletion<[TokenKeyRecord]>)

  /// Stores a key unless one with its identifier exists; answers whether it was stored.
  func addTokenKey(
    _ key: TokenKeyRecord, options: RequestOptions, completion: @escaping StoreCompletion<Bool>)

  /// Forgets the keys whose last token expired before `time`; answers how many.
  func removeTokenKeys(
    opensUntilBefore time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>)

  // Purchases.

  /// Stores an intent unless its idempotency key is taken or its product is owned, in one step.
  func beginPurchase(
    _ intent: PurchaseIntent, options: RequestOptions,
    completion: @escaping StoreCompletion<PurchaseBeginning>)

  /// What beginning a purchase with this key would find of earlier requests: existing, in progress
  /// or conflict; nil: the key is new, or was forgotten. Writes nothing.
  func findPurchase(
    _ key: PurchaseKey, options: RequestOptions,
    completion: @escaping StoreCompletion<PurchaseBeginning?>)

  /// Records what the processor decided. States only go forward, as `PurchaseLifecycle` says.
  func recordOutcome(
    _ outcome: PaymentOutcome, of transaction: TransactionID, profileID: ProfileID,
    at time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<OutcomeRecording>)

  /// Intents without an outcome, oldest first, up to `limit`; nil: from the oldest.
  func unresolvedPurchases(
    after position: PurchasePosition?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[PurchaseIntent]>)

  /// Forgets up to `limit` idempotency keys of purchases made before `time` whose outcome is known;
  /// answers how many. See `idempotencyKeyRetention`.
  func purgeIdempotencyKeys(
    createdBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>)

  // Transactions.

  /// Finds a transaction of a profile in an app.
  func findTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionRecord?>)

  /// Lists transactions: the unfinished first, oldest first; then the finished, newest first.
  func listTransactions(
    _ query: TransactionQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionPage>)

  /// Marks a transaction as delivered.
  func finishTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String, at time: Timestamp,
    options: RequestOptions, completion: @escaping StoreCompletion<FinishResult>)

  // The store itself.

  /// What the store is.
  var facts: StoreFacts { get }

  /// What the store has done so far.
  var counters: StoreCounters { get }

  /// Why the store takes no more writes; nil: it does.
  var failure: StoreError? { get }

  /// Carries out what is queued, refuses the rest, and lets go of the files.
  func close(completion: @escaping @Sendable () -> Void)
}

/// How long an idempotency key is kept, in milliseconds: 30 days.
public let idempotencyKeyRetention: Int64 = 30 * 24 * 60 * 60 * 1_000
