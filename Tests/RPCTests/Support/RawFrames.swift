import ProtobufWire
import RPCCore

/// Frames written by hand, right or wrong, after `Docs/protocol.md`.
enum RawFrames {
  static func frame(
    _ type: UInt8, stream: UInt32 = 0, flags: UInt8 = 0, payload: [UInt8] = [],
    length: UInt32? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: (length ?? UInt32(payload.count)) >> shift))
    }
    for shift in [24, 16, 8, 0] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: stream >> shift))
    }
    return bytes + [type, flags] + payload
  }

  /// An empty SETUP: all defaults.
  static let setup = frame(1)

  /// A call with its whole request: HALF_CLOSE and HAS_MESSAGE.
  static func call(
    _ stream: UInt32, _ method: String, message: [UInt8] = [], flags: UInt8 = 4 | 8,
    fields: [UInt8] = []
  ) -> [UInt8] {
    let header = [0x0A] + varint(method.utf8.count) + Array(method.utf8) + fields
    return frame(
      2, stream: stream, flags: flags, payload: varint(header.count) + header + message)
  }

  static func echo(_ stream: UInt32, _ text: String = "x", flags: UInt8 = 4 | 8) -> [UInt8] {
    call(
      stream, "test.echo.v1.EchoService/Echo", message: EchoMessage(text: text).serialized(),
      flags: flags)
  }

  /// An END with OK and a message.
  static func end(_ stream: UInt32, message: [UInt8]) -> [UInt8] {
    frame(5, stream: stream, flags: 8, payload: [0] + message)
  }

  /// The bytes, 2ⁿ times: quickly, also in a debug build.
  static func repeated(_ bytes: [UInt8], doublings: Int) -> [UInt8] {
    var all = bytes
    for _ in 0..<doublings { all += all }
    return all
  }

  static func varint(_ number: Int) -> [UInt8] {
    var rest = number
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// The frame that received bytes begin with; nil: it hasn't come whole.
  static func first(in bytes: ArraySlice<UInt8>) -> (header: FrameHeader, payload: [UInt8])? {
    let head = Array(bytes.prefix(FrameHeader.size))
    guard case .header(let header) = FrameHeader.parse(head.span.bytes, maximumPayload: .max),
      bytes.count >= FrameHeader.size + Int(header.payloadLength)
    else { return nil }
    let payload = bytes.dropFirst(FrameHeader.size).prefix(Int(header.payloadLength))
    return (header, Array(payload))
  }
}
