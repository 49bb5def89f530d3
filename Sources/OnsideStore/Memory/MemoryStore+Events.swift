import OnsideDomain

extension MemoryStore {
  public func profileEvents(
    of profileID: ProfileID, after position: Int64?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileEventReading>
  ) {
    perform(options, completion) {
      $0.purchases.events.read(profileID, after: position, limit: limit)
    }
  }

  public func purgeProfileEvents(
    before time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { $0.purchases.events.purge(before: time, limit: limit) }
  }

  public func setStorefront(
    _ storefront: Storefront, of profileID: ProfileID, at time: Timestamp,
    options: RequestOptions, completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    let completion = eventHub.telling(profileID, completion) { $0 != nil }
    write(options, completion) { state in
      guard let profile = state.profiles[profileID] else { return nil }
      guard profile.storefront != storefront else { return profile }
      var moved = profile
      moved.storefront = storefront
      state.profiles[profileID] = moved
      state.storefrontsSetAt[profileID] = time
      state.purchases.events.append(.storefront(storefront), of: profileID, at: time)
      return moved
    }
  }

  public func storefrontsSet(
    since time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<[ProfileID: Storefront]>
  ) {
    perform(options, completion) { state in
      let moved = state.storefrontsSetAt.filter { $0.value >= time }.keys
      return moved.reduce(into: [:]) { $0[$1] = state.profiles[$1]?.storefront }
    }
  }
}
