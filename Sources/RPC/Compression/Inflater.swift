import CZlib

/// Inflates messages: one whole zlib stream each, never beyond a limit.
public struct Inflater: Sendable {
  /// A message's most bytes when inflated.
  public var messageLimit: Int

  /// How many times its size a message may inflate to, once its output is over `guardThreshold`.
  public var ratioLimit: Int

  /// The ratio is not looked at before the output is this large, in bytes: small messages of
  /// zeros are honest and reach 1,000:1.
  public static let guardThreshold = 1 << 20

  /// Makes an inflater.
  ///
  /// - Parameters:
  ///   - messageLimit: A message's most bytes when inflated.
  ///   - ratioLimit: How many times its size a message over 1 MiB may inflate to.
  public init(messageLimit: Int, ratioLimit: Int = 100) {
    self.messageLimit = messageLimit
    self.ratioLimit = ratioLimit
  }

  /// Inflates one message.
  ///
  /// Memory grows with the output, at most to the limit and one byte.
  public func inflate(_ input: UnsafeRawBufferPointer) throws(CompressionError) -> InflatedMessage {
    guard let start = input.baseAddress, input.count > 0 else { throw .truncated }
    guard input.count <= Int(UInt32.max) else { throw .tooLarge(limit: messageLimit) }
    var stream = z_stream()
    guard czlib_inflate_init(&stream) == Z_OK else { throw .outOfMemory }
    defer { inflateEnd(&stream) }
    // zlib never writes through next_in; its type is only not const.
    stream.next_in = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: Bytef.self))
    stream.avail_in = uInt(input.count)
    var output = InflatedMessage(capacity: min(messageLimit + 1, max(256, input.count * 4)))
    try run(&stream, into: &output, inputCount: input.count)
    guard stream.avail_in == 0 else { throw .trailingBytes(Int(stream.avail_in)) }
    return output
  }

  private func run(
    _ stream: inout z_stream, into output: inout InflatedMessage, inputCount: Int
  ) throws(CompressionError) {
    while true {
      if output.count == output.capacity {
        output.grow(to: min(messageLimit + 1, output.capacity * 2))
      }
      let room = min(output.capacity - output.count, Int(UInt32.max))
      stream.next_out = output.end
      stream.avail_out = uInt(room)
      let result = CZlib.inflate(&stream, Z_NO_FLUSH)
      output.count += room - Int(stream.avail_out)
      guard output.count <= messageLimit else { throw .tooLarge(limit: messageLimit) }
      if output.count > Self.guardThreshold, output.count / ratioLimit > inputCount {
        throw .suspiciousRatio(limit: ratioLimit)
      }
      switch result {
      case Z_STREAM_END: return
      case Z_OK where stream.avail_in > 0 || stream.avail_out == 0: continue
      case Z_OK, Z_BUF_ERROR: throw .truncated
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .corrupt
      }
    }
  }
}

/// The bytes of an inflated message, in memory of their own.
public struct InflatedMessage: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  fileprivate var capacity: Int

  /// How many bytes the message has.
  public fileprivate(set) var count = 0

  fileprivate init(capacity: Int) {
    memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    self.capacity = capacity
  }

  fileprivate var end: UnsafeMutablePointer<Bytef> {
    // Within the allocation: `count` never exceeds `capacity`. Bytes are bytes.
    (memory + count).assumingMemoryBound(to: Bytef.self)
  }

  fileprivate mutating func grow(to newCapacity: Int) {
    guard newCapacity > capacity else { return }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 1)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
    capacity = newCapacity
  }

  /// The bytes, borrowed for as long as the message is alive and unchanged.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  deinit { memory.deallocate() }
}
