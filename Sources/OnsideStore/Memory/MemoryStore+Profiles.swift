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

  public func findOrCreateProfile(
    _ proposed: ProfileRecord, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileCreation>
  ) {
    write(options, completion) { (state) throws(StoreError) -> ProfileCreation in
      let key = proposed.externalUserID.map {
        UserKey(app: ByteKey(proposed.appID), user: ByteKey($0))
      }
      if let found = key.flatMap({ state.profileIDs[$0] }).flatMap({ state.profiles[$0] }) {
        return ProfileCreation(profile: found, created: false)
      }
      guard state.profiles[proposed.id] == nil else {
        throw .profileIDTaken(proposed.id)
      }
      state.profiles[proposed.id] = proposed
      if let key { state.profileIDs[key] = proposed.id }
      return ProfileCreation(profile: proposed, created: true)
    }
  }
}
