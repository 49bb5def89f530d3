import OnsideDomain

extension MemoryStore {
  public func findProfile(
    appID: String, externalUserID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    perform(options, completion) { state in
      let key = UserKey(app: ByteKey(appID), user: ByteKey(externalUserID))
      return state.profileIDs[key].flatMap { state.profiles[$0] }
    }
  }

  public func findProfile(
    _ id: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    perform(options, completion) { $0.profiles[id] }
  }

  public func findProfile(
    phoneNumber: PhoneNumber, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    perform(options, completion) { state in
      state.phoneProfileIDs[phoneNumber].flatMap { state.profiles[$0] }
    }
  }

  public func findOrCreateProfile(
    _ proposed: ProfileRecord, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileCreation>
  ) {
    write(options, completion) { (state) throws(StoreError) -> ProfileCreation in
      let key = proposed.externalUserID.map {
        UserKey(app: ByteKey(proposed.appID ?? ""), user: ByteKey($0))
      }
      let known =
        key.flatMap { state.profileIDs[$0] }
        ?? proposed.phoneNumber.flatMap { state.phoneProfileIDs[$0] }
      if let found = known.flatMap({ state.profiles[$0] }) {
        return ProfileCreation(profile: found, created: false)
      }
      guard state.profiles[proposed.id] == nil else {
        throw .profileIDTaken(proposed.id)
      }
      state.profiles[proposed.id] = proposed
      if let key { state.profileIDs[key] = proposed.id }
      if let number = proposed.phoneNumber { state.phoneProfileIDs[number] = proposed.id }
      return ProfileCreation(profile: proposed, created: true)
    }
  }

  public func setStorefront(
    _ storefront: Storefront, of id: ProfileID, at time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    let completion = eventHub.telling(id, completion) { $0 != nil }
    write(options, completion) { state in
      guard let found = state.profiles[id] else { return nil }
      let moved = found.moved(to: storefront)
      state.profiles[id] = moved
      state.storefrontTimes[id] = time
      if moved.storefront != found.storefront {
        state.purchases.events.append(.storefront(storefront), of: id, at: time)
      }
      return moved
    }
  }

  public func storefrontChanges(
    since time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<[StorefrontChange]>
  ) {
    perform(options, completion) { state in
      let changes = state.storefrontTimes.compactMap { id, changedAt in
        state.profiles[id].map {
          StorefrontChange(profileID: id, storefront: $0.storefront, changedAt: changedAt)
        }
      }
      return changes.filter { $0.changedAt >= time }.sorted {
        ($0.changedAt, $0.profileID) < ($1.changedAt, $1.profileID)
      }
    }
  }
}
