import OnsideDomain
import OnsideStore
import Synchronization

/// The storefronts that were set while session tokens were out which name the earlier one.
///
/// A token says where its profile belonged when the session began. Who was moved since then is held
/// here for as long as such a token may live. While nobody is, asking is one atomic load.
final class MovedStorefronts: Sendable {
  private let changes = Mutex<[ProfileID: StorefrontChange]>([:])
  private let count = Atomic<Int>(0)

  /// Where a profile was moved; nil: its token is right.
  func find(_ profile: ProfileID) -> Storefront? {
    guard count.load(ordering: .acquiring) > 0 else { return nil }
    return changes.withLock { $0[profile]?.storefront }
  }

  /// Adds profiles that were moved. Of two changes of one profile the later counts.
  func insert(_ moved: [StorefrontChange]) {
    guard !moved.isEmpty else { return }
    changes.withLock { changes in
      for change in moved
      where (changes[change.profileID]?.changedAt ?? change.changedAt) <= change.changedAt {
        changes[change.profileID] = change
      }
      count.store(changes.count, ordering: .releasing)
    }
  }

  /// Forgets what was changed before `time`: all tokens of then have expired.
  func purge(changedBefore time: Timestamp) {
    guard count.load(ordering: .acquiring) > 0 else { return }
    changes.withLock { changes in
      changes = changes.filter { $0.value.changedAt >= time }
      count.store(changes.count, ordering: .releasing)
    }
  }
}
