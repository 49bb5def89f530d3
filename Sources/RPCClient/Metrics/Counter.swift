import Synchronization

/// A number that one thread changes and all may read.
///
/// One writer makes a load and a store enough, which is a fifth of an atomic addition's cost. Kept
/// in this module, so that it is inlined where every call passes by.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .relaxed) }

  /// Adds; on the writer's thread only.
  func add(_ amount: Int) {
    number.store(number.load(ordering: .relaxed) + amount, ordering: .relaxed)
  }
}
