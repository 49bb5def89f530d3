/// A queue that keeps its memory: it grows to the most that it ever held.
struct Ring<Element> {
  private var storage: [Element?] = []
  private var head = 0

  /// How many it holds.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Adds one at the end.
  mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[(head &+ count) & (storage.count &- 1)] = element
    count &+= 1
  }

  /// Takes the first out; nil: there is none.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head]
    storage[head] = nil
    head = (head &+ 1) & (storage.count &- 1)
    count &-= 1
    return element
  }

  mutating func removeAll() {
    storage = []
    head = 0
    count = 0
  }

  /// To twice the size, which is always a power of two.
  private mutating func grow() {
    var larger = [Element?](repeating: nil, count: max(16, storage.count * 2))
    for offset in 0..<count { larger[offset] = storage[(head + offset) & (storage.count - 1)] }
    storage = larger
    head = 0
  }
}
