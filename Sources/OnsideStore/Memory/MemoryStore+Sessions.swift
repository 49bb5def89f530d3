import OnsideDomain

extension MemoryStore {
  public func addRevocation(
    _ revocation: Revocation, options: RequestOptions, completion: @escaping StoreCompletion<Void>
  ) {
    write(options, completion) { $0.revocations.add(revocation) }
  }

  public func revocations(
    after position: RevocationPosition?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<RevocationPage>
  ) {
    perform(options, completion) { $0.revocations.page(after: position, limit: limit) }
  }

  public func purgeRevocations(
    expiredBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { $0.revocations.purge(expiredBefore: time, limit: limit) }
  }

  public func tokenKeys(
    options: RequestOptions, completion: @escaping StoreCompletion<[TokenKeyRecord]>
  ) {
    perform(options, completion) { state in state.tokenKeys.values.sorted { $0.id < $1.id } }
  }

  public func addTokenKey(
    _ key: TokenKeyRecord, options: RequestOptions, completion: @escaping StoreCompletion<Bool>
  ) {
    write(options, completion) { state in
      guard state.tokenKeys[key.id] == nil else { return false }
      state.tokenKeys[key.id] = key
      return true
    }
  }

  public func removeTokenKeys(
    opensUntilBefore time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { state in
      let before = state.tokenKeys.count
      state.tokenKeys = state.tokenKeys.filter { $0.value.opensUntil >= time }
      return before - state.tokenKeys.count
    }
  }
}
