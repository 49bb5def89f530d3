import CZlib

/// Deflates messages into one zlib stream each.
public struct Deflater: Sendable {
  /// 1 (fast) to 9 (small).
  public var level: Int32

  /// Makes a deflater; `level` is 1 (fast) to 9 (small), values outside are clamped.
  public init(level: Int32 = 1) {
    self.level = min(9, max(1, level))
  }

  /// The message as a zlib stream; nil when that isn't smaller than the message, or when there is
  /// no memory for it: the message is sent as it is then.
  public func deflate(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let start = message.baseAddress, message.count > 1, message.count <= Int(UInt32.max)
    else { return nil }
    var stream = z_stream()
    guard czlib_deflate_init(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    // zlib never writes through next_in; bytes are bytes.
    stream.next_in = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: Bytef.self))
    stream.avail_in = uInt(message.count)
    var finished = false
    // One byte less than the message: what doesn't fit isn't worth it.
    let output = [UInt8](unsafeUninitializedCapacity: message.count - 1) { buffer, count in
      stream.next_out = buffer.baseAddress
      stream.avail_out = uInt(buffer.count)
      finished = CZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END
      count = buffer.count - Int(stream.avail_out)
    }
    return finished ? output : nil
  }
}
