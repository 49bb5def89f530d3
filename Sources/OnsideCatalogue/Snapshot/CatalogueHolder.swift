import Synchronization

/// The catalogue that is in use, for any number of readers.
///
/// A reload builds a new snapshot elsewhere and swaps it in whole; calls in progress keep the one
/// that they began with.
public final class CatalogueHolder: Sendable {
  private let current: Mutex<CatalogueSnapshot>
  private let generations = Atomic<UInt64>(1)

  public init(_ snapshot: CatalogueSnapshot) {
    current = Mutex(snapshot)
  }

  /// The snapshot in use. It costs a lock: whoever asks often keeps it until `generation` changes.
  public var snapshot: CatalogueSnapshot { current.withLock { $0 } }

  /// Grows by one with every replacement.
  public var generation: UInt64 { generations.load(ordering: .acquiring) }

  /// Puts another snapshot in its place.
  public func replace(with snapshot: CatalogueSnapshot) {
    let old = current.withLock { current in
      let old = current
      current = snapshot
      generations.add(1, ordering: .releasing)
      return old
    }
    // Outside of the lock, in case that this is the last reference to it.
    _ = consume old
  }
}
