import OnsideDomain

/// The store's methods for callers that can wait.
extension Store {
  /// Finds the external profile of a user of an app.
  public func findProfile(
    appID: String, externalUserID: String, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> ProfileRecord? {
    try await answer {
      findProfile(appID: appID, externalUserID: externalUserID, options: options, completion: $0)
    }
  }

  /// Finds a profile by its identifier.
  public func findProfile(
    _ id: ProfileID, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> ProfileRecord? {
    try await answer { findProfile(id, options: options, completion: $0) }
  }

  /// Finds the regular profile of a phone number.
  public func findProfile(
    phoneNumber: PhoneNumber, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> ProfileRecord? {
    try await answer {
      findProfile(phoneNumber: phoneNumber, options: options, completion: $0)
    }
  }

  /// Stores a profile unless there is one with the same app and external user identifier, or the
  /// same phone number.
  public func findOrCreateProfile(
    _ proposed: ProfileRecord, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> ProfileCreation {
    try await answer { findOrCreateProfile(proposed, options: options, completion: $0) }
  }

  /// Sets a profile's storefront.
  public func setStorefront(
    _ storefront: Storefront, of id: ProfileID, at time: Timestamp,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> ProfileRecord? {
    try await answer {
      setStorefront(storefront, of: id, at: time, options: options, completion: $0)
    }
  }

  /// The storefronts that were set at `time` or later.
  public func storefrontChanges(
    since time: Timestamp, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [StorefrontChange] {
    try await answer { storefrontChanges(since: time, options: options, completion: $0) }
  }

  /// Stores the revocation of a session.
  public func addRevocation(
    _ revocation: Revocation, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) {
    try await answer { addRevocation(revocation, options: options, completion: $0) }
  }

  /// Revocations in the order in which they were stored.
  public func revocations(
    after position: RevocationPosition?, limit: Int = 10_000,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> RevocationPage {
    try await answer {
      revocations(after: position, limit: limit, options: options, completion: $0)
    }
  }

  /// Forgets revocations of sessions that expired before `time`.
  public func purgeRevocations(
    expiredBefore time: Timestamp, limit: Int = 1_000, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Int {
    try await answer {
      purgeRevocations(expiredBefore: time, limit: limit, options: options, completion: $0)
    }
  }

  /// All keys for tokens.
  public func tokenKeys(
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [TokenKeyRecord] {
    try await answer { tokenKeys(options: options, completion: $0) }
  }

  /// Stores a key unless one with its identifier exists.
  public func addTokenKey(
    _ key: TokenKeyRecord, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Bool {
    try await answer { addTokenKey(key, options: options, completion: $0) }
  }

  /// Forgets the keys whose last token expired before `time`.
  public func removeTokenKeys(
    opensUntilBefore time: Timestamp, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Int {
    try await answer {
      removeTokenKeys(opensUntilBefore: time, options: options, completion: $0)
    }
  }

  /// Lets go of the store, after what is queued.
  public func close() async {
    await withCheckedContinuation { continuation in close { continuation.resume() } }
  }

  func answer<Value: Sendable>(
    _ body: (@escaping StoreCompletion<Value>) -> Void
  ) async throws(StoreError) -> Value {
    let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
      body { continuation.resume(returning: $0) }
    }
    return try result.get()
  }
}
