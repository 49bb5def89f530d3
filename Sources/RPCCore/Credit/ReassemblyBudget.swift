/// Bytes of unfinished messages that a connection holds beyond its streams' windows.
///
/// A message larger than its window can only pass when credit goes back before it is whole. The
/// budget bounds what that costs. Most of it is a pool for everybody; the rest, one message's size,
/// is for one stream at a time, which can therefore always finish: many half-received messages
/// can't block each other for ever.
struct ReassemblyBudget {
  private let poolSize: Int
  private let reserveSize: Int
  private var poolUsed = 0
  private var reserveUsed = 0
  /// The stream that may use the reserve; 0 for none.
  private(set) var privileged: UInt32 = 0

  /// - Parameters:
  ///   - limit: bytes in all; less than one message counts as one message.
  ///   - message: the longest message.
  init(limit: Int, message: Int) {
    reserveSize = message
    poolSize = max(0, limit - message)
  }

  /// Bytes held.
  var used: Int { poolUsed + reserveUsed }

  /// Takes bytes for a stream's unfinished message; false when it has to wait.
  mutating func take(_ bytes: Int, for stream: UInt32) -> Bool {
    if privileged == stream, reserveUsed + bytes <= reserveSize {
      reserveUsed += bytes
      return true
    }
    if poolUsed + bytes <= poolSize {
      poolUsed += bytes
      return true
    }
    guard privileged == 0, bytes <= reserveSize else { return false }
    privileged = stream
    reserveUsed = bytes
    return true
  }

  /// Gives back bytes that were taken for a stream.
  mutating func release(_ bytes: Int, for stream: UInt32) {
    var rest = bytes
    if privileged == stream {
      let part = min(rest, reserveUsed)
      reserveUsed -= part
      rest -= part
      if reserveUsed == 0 { privileged = 0 }
    }
    poolUsed -= min(rest, poolUsed)
  }
}
