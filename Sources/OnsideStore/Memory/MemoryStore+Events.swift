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
}
