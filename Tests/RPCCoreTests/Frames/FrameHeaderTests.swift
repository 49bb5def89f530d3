import RPCCore
import Testing

@Suite struct FrameHeaderTests {
  private func bytes(length: UInt32, stream: UInt32 = 1, type: UInt8 = 4, flags: UInt8 = 8)
    -> [UInt8]
  {
    Frame(
      header: FrameHeader(
        payloadLength: length, stream: StreamID(stream), type: FrameType(rawValue: type),
        flags: FrameFlags(rawValue: flags)), payload: []
    ).bytes
  }

  @Test(arguments: [65_536, 100_000, 0] as [Int])
  func lengthIsCheckedAtTheEdges(_ limit: Int) {
    let edges: Set<UInt32> = [
      0, 1, UInt32(max(0, limit - 1)), UInt32(limit), UInt32(limit + 1), 0x7FFF_FFFF, 0x8000_0000,
      0xFFFF_FFFF,
    ]
    for length in edges {
      let parsed = FrameHeader.parse(bytes(length: length).span.bytes, maximumPayload: limit)
      if Int(length) <= limit {
        #expect(
          parsed
            == .header(
              FrameHeader(
                payloadLength: length, stream: StreamID(1), type: .message, flags: .hasMessage)))
      } else {
        #expect(parsed == .tooLong(payloadLength: length))
      }
    }
  }

  @Test func absurdLimitsDontWrap() {
    let header = bytes(length: 0xFFFF_FFFF)
    #expect(
      FrameHeader.parse(header.span.bytes, maximumPayload: -1)
        == .tooLong(payloadLength: 0xFFFF_FFFF))
    guard case .header(let parsed) = FrameHeader.parse(header.span.bytes, maximumPayload: .max)
    else {
      Issue.record("a length within the limit was refused")
      return
    }
    #expect(parsed.payloadLength == 0xFFFF_FFFF)
  }

  @Test func streamsAboveTheRangeAreRefused() {
    for stream: UInt32 in [0x8000_0000, 0xFFFF_FFFF] {
      let parsed = FrameHeader.parse(bytes(length: 0, stream: stream).span.bytes, maximumPayload: 9)
      #expect(parsed == .badStream(rawValue: stream))
    }
    guard
      case .header(let header) = FrameHeader.parse(
        bytes(length: 0, stream: 0x7FFF_FFFF).span.bytes, maximumPayload: 9)
    else {
      Issue.record("the last stream was refused")
      return
    }
    #expect(header.stream == .last)
  }

  @Test func fewerThanTenBytesAreIncomplete() {
    let header = bytes(length: 3)
    for count in 0..<10 {
      #expect(
        FrameHeader.parse(Array(header.prefix(count)).span.bytes, maximumPayload: 9) == .incomplete)
    }
  }

  @Test func allBytesOfTypeAndFlagsComeThrough() {
    for type in UInt8.min...UInt8.max {
      let header = bytes(length: 0, type: type, flags: ~type)
      guard case .header(let parsed) = FrameHeader.parse(header.span.bytes, maximumPayload: 0)
      else {
        Issue.record("type \(type) was refused by the parser")
        continue
      }
      #expect(parsed.type.rawValue == type && parsed.flags.rawValue == ~type)
    }
  }

  @Test func anOversizedFrameAllocatesNothing() {
    var endpoint = Endpoint(.server)
    _ = endpoint.receive(Frame(.setup))
    _ = endpoint.takeOutput()
    var rest: [UInt8] = []
    let events = endpoint.receive(bytes: bytes(length: 0xFFFF_FFFF), rest: &rest)
    #expect(events == [.violation(.frameTooLong)])
    #expect(endpoint.takeFrames().map(\.header.type) == [.close])
  }

  @Test func theFirstFrameIsBoundedByTheSizeOfASetup() {
    var endpoint = Endpoint(.server)
    var rest: [UInt8] = []
    let header = Frame(
      header: FrameHeader(payloadLength: 4097, stream: .connection, type: .setup), payload: [])
    #expect(endpoint.receive(bytes: header.bytes, rest: &rest) == [.violation(.frameTooLong)])
  }
}
