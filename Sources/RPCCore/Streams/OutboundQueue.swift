/// Messages of one stream that wait for credit or for room, and what follows the last of them.
struct OutboundQueue {
  /// One thing to write.
  enum Item {
    /// A message; the first `offset` bytes are written already.
    case message(bytes: [UInt8], offset: Int, isCompressed: Bool)
    /// The client's half-close.
    case halfClose
    /// The server's END with its encoded status.
    case end(status: [UInt8])
  }

  private var items: [Item] = []
  private var head = 0
  /// What waited when `hasMoved` was asked last; -1 before.
  private var bytesAtLastLook = -1

  init() {}

  var isEmpty: Bool { head == items.count }

  /// What is to be written first.
  var first: Item? { head < items.count ? items[head] : nil }

  /// What follows the first.
  var second: Item? { head + 1 < items.count ? items[head + 1] : nil }

  mutating func append(_ item: Item) {
    items.append(item)
  }

  /// Notes that the first message has been written up to `offset`.
  mutating func advance(to offset: Int) {
    guard case .message(let bytes, _, let isCompressed) = first else { return }
    items[head] = .message(bytes: bytes, offset: offset, isCompressed: isCompressed)
  }

  mutating func removeFirst() {
    guard head < items.count else { return }
    items[head] = .halfClose  // lets go of the message's memory now
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 32, head * 2 >= items.count {
      // Keeps a queue that never runs empty from growing for ever, at a constant cost per item.
      items.removeFirst(head)
      head = 0
    }
  }

  /// Whether less waits than when this was asked last. True the first time.
  mutating func hasMoved() -> Bool {
    let waiting = waitingBytes
    defer { bytesAtLastLook = waiting }
    return bytesAtLastLook < 0 || waiting < bytesAtLastLook
  }

  /// Message bytes that wait.
  var waitingBytes: Int {
    items[head...].reduce(0) { sum, item in
      guard case .message(let bytes, let offset, _) = item else { return sum }
      return sum + bytes.count - offset
    }
  }
}
