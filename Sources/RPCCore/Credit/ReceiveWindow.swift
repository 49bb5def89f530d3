/// Credit that this side has given to the peer, on a stream or on the connection.
struct ReceiveWindow {
  /// Bytes that may be under way at most.
  private(set) var size: Int
  /// Bytes that the peer may still send.
  private(set) var available: Int
  /// Bytes that may be given back and haven't been yet.
  private(set) var pending = 0

  init(size: Int) {
    self.size = size
    available = size
  }

  /// Takes arrived bytes off; false when the peer had no credit for them.
  mutating func take(_ bytes: Int) -> Bool {
    guard bytes <= available else { return false }
    available -= bytes
    return true
  }

  /// Notes that bytes can be given back. Returns the increment to announce: 0 until half a window
  /// has come together, so that small messages don't cause a CREDIT each.
  mutating func giveBack(_ bytes: Int) -> Int {
    // Never more than was taken, whatever the application says it consumed.
    pending = min(pending + max(bytes, 0), size - available)
    guard pending > 0, pending * 2 >= size else { return 0 }
    let increment = pending
    available += increment
    pending = 0
    return increment
  }
}
