import OnsideDomain
import OnsideStore
import Synchronization

/// Sets profiles' storefronts, and remembers them: session tokens and the cache of profiles go on
/// naming the old ones.
final class ProfileStorefronts: Sendable {
  private let moved = Mutex<[ProfileID: Storefront]>([:])

  /// While nobody was moved, asking is one load.
  private let isUsed = Atomic<Bool>(false)
  private let store: any Store
  private let clock: ServiceClock

  init(store: any Store, clock: ServiceClock) {
    self.store = store
    self.clock = clock
  }

  /// Takes over the profiles that were moved while tokens were sealed that are good still; they
  /// live for `lifetime` milliseconds. To be done before listening.
  func load(lifetime: Int64) async throws(StoreError) {
    let oldest = Timestamp(milliseconds: clock.wall().milliseconds - lifetime)
    for (profileID, storefront) in try await store.storefrontsSet(since: oldest) {
      remember(storefront, of: profileID)
    }
  }

  /// Sets a profile's storefront, the only way to do it: its watchers are told, its sessions go on
  /// in the new one, and its next logins begin there.
  ///
  /// - Returns: The profile as it is now; nil: there is none.
  func set(
    _ storefront: Storefront, of profileID: ProfileID, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> ProfileRecord? {
    let profile = try await store.setStorefront(
      storefront, of: profileID, at: clock.wall(), options: options)
    if let profile { remember(profile.storefront, of: profileID) }
    return profile
  }

  /// A profile's storefront, where a token or a cache says `known`.
  func current(of profileID: ProfileID, known: Storefront) -> Storefront {
    guard isUsed.load(ordering: .acquiring) else { return known }
    return moved.withLock { $0[profileID] } ?? known
  }

  private func remember(_ storefront: Storefront, of profileID: ProfileID) {
    moved.withLock { $0[profileID] = storefront }
    isUsed.store(true, ordering: .releasing)
  }
}
