import OnsideDomain
import OnsideStore
import Synchronization

/// The profiles of users who came lately, by app and external user identifier, for all loops of a
/// server. A login that is found here needs no store.
///
/// It has a bound; beyond it, users who didn't come again lately make room. Look-ups take the lock
/// of one of 64 parts for some ten nanoseconds, so that loops hardly ever meet.
public final class ProfileCache: Sendable {
  private final class Part: Sendable {
    let table: Mutex<ProfileCacheTable>

    init(capacity: Int) {
      table = Mutex(ProfileCacheTable(capacity: capacity))
    }
  }

  private static let partCount = 64

  private let parts: [Part]

  /// A cache for about `capacity` profiles; each takes some 200 bytes and its identifier's. 0: none
  /// is kept.
  public init(capacity: Int) {
    let share = (max(capacity, 0) + Self.partCount - 1) / Self.partCount
    parts = (0..<Self.partCount).map { _ in Part(capacity: share) }
  }

  /// How many profiles are held.
  public var count: Int {
    parts.reduce(0) { $0 + $1.table.withLock { $0.count } }
  }

  /// The profile of a user, by the identifier's UTF-8 bytes as they were received; nil: ask the
  /// store. Allocates nothing.
  public func find(app: AppTag, externalUserID: UnsafeRawBufferPointer) -> ProfileSummary? {
    let hash = Self.hash(app, externalUserID)
    return part(hash).table.withLock { $0.find(hash, app, externalUserID) }
  }

  /// The profile of a user; nil: ask the store.
  public func find(app: AppTag, externalUserID: String) -> ProfileSummary? {
    var user = externalUserID
    return user.withUTF8 { find(app: app, externalUserID: UnsafeRawBufferPointer($0)) }
  }

  /// Keeps a profile that the store has, or what it has become.
  public func insert(_ profile: ProfileSummary, app: AppTag, externalUserID: String) {
    var user = externalUserID
    user.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let hash = Self.hash(app, bytes)
      part(hash).table.withLock { $0.insert(hash, app, bytes, profile) }
    }
  }

  /// Forgets a user.
  public func remove(app: AppTag, externalUserID: String) {
    var user = externalUserID
    user.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let hash = Self.hash(app, bytes)
      part(hash).table.withLock { $0.remove(hash, app, bytes) }
    }
  }

  /// Keyed anew in each process: clients choose the identifiers, and must not choose the places.
  private static func hash(_ app: AppTag, _ user: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(app.value)
    hasher.combine(bytes: user)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func part(_ hash: UInt64) -> Part {
    parts[Int(hash >> 58)]
  }
}
