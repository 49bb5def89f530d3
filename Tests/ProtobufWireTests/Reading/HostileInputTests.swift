import ConformanceMessages
import ProtobufWire
import Testing

@Suite("What a hostile peer can send")
struct HostileInputTests {
  /// A tree with this many trees in each other, below the outermost.
  private func nested(_ depth: Int) -> [UInt8] {
    (0..<depth).reduce([]) { inner, _ in field(2, inner) }
  }

  @Test("100 messages in each other are read, 101 are not")
  func depthOfMessages() throws {
    var tree = try Tree(serialized: nested(100))
    for _ in 0..<100 { tree = try #require(tree.left) }
    #expect(tree == Tree())
    #expect(errorCode { try Tree(serialized: nested(101)) } == .tooDeep)
  }

  @Test("The limit holds for lists, maps and oneofs too, and can be set")
  func depthOfOtherFields() throws {
    let list = (0..<101).reduce([UInt8]()) { inner, _ in field(3, inner) }
    let oneof = (0..<101).reduce([UInt8]()) { inner, _ in field(5, inner) }
    // An entry of a map is a message, and its value is another.
    let map = (0..<51).reduce([UInt8]()) { inner, _ in field(4, field(2, inner)) }
    for bytes in [list, oneof, map] {
      #expect(errorCode { try Tree(serialized: bytes) } == .tooDeep)
    }
    #expect(
      errorCode { try Tree(serialized: nested(3), limits: DecodingLimits(depth: 2)) } == .tooDeep)
    _ = try Tree(serialized: nested(2), limits: DecodingLimits(depth: 2))
  }

  @Test("An unknown group is kept with all that is in it")
  func unknownGroup() throws {
    // Field 9: a group with a varint, a group 2 with a string, and fixed numbers.
    let group = hex("4b 0801 13 1a0161 14 2d01020304 310102030405060708 4c")
    let tree = try Tree(serialized: group + field(1, hex("61")))
    #expect(tree.label == "a")
    #expect(tree.unknownFields.bytes == group)
  }

  @Test("Groups count against the depth, and 10,000 starts don't exhaust the stack")
  func depthOfGroups() throws {
    let starts = [UInt8](repeating: 0x4b, count: 10_000)
    #expect(errorCode { try Tree(serialized: starts) } == .tooDeep)
    let ends = [UInt8](repeating: 0x4c, count: 100)
    _ = try Tree(serialized: Array(starts.prefix(100)) + ends)
    #expect(
      errorCode { try Tree(serialized: Array(starts.prefix(101)) + ends + [0x4c]) } == .tooDeep)
    // 60 messages leave room for 40 groups.
    func groups(_ count: Int) -> [UInt8] { Array(starts.prefix(count)) + Array(ends.prefix(count)) }
    _ = try Tree(serialized: (0..<60).reduce(groups(40)) { inner, _ in field(2, inner) })
    #expect(
      errorCode {
        try Tree(serialized: (0..<60).reduce(groups(41)) { inner, _ in field(2, inner) })
      } == .tooDeep)
  }

  @Test(
    "A group's end without its start, or the reverse, is an error",
    arguments: ["4c", "4b", "4b 54", "4b 53 4c", "12 01 4c", "12 01 4b 4c"])
  func unmatchedGroups(text: String) {
    #expect(errorCode { try Tree(serialized: hex(text)) } == .unmatchedGroup)
  }

  @Test(
    "Wire types 6 and 7 are errors, in known and unknown fields and in groups",
    arguments: ["0e", "0f", "4e 01", "4f 01", "4b 0e 4c", "12 01 0e"])
  func invalidWireTypes(text: String) {
    #expect(errorCode { try Tree(serialized: hex(text)) } == .invalidWireType)
  }

  @Test(
    "Field number 0 is an error, in unknown groups too",
    arguments: ["00", "02 00", "4b 00 4c", "4b 02 00 4c", "12 01 00"])
  func fieldZero(text: String) {
    #expect(errorCode { try Tree(serialized: hex(text)) } == .invalidFieldNumber)
  }

  @Test(
    "Nothing reads beyond the message that it is in",
    arguments: [
      "12 03 0a 05 61", "12 05 0a 01 61", "12 02 30 80 01", "12 02 4a 05 6161616161",
      "12 01 4d 01020304", "12 03 49 0102 030405060708", "22 04 0a 06 61 12 61",
    ])
  func innerLengths(text: String) {
    #expect(errorCode { try Tree(serialized: hex(text)) } == .truncated)
  }

  @Test(
    "Every message cut at every byte is an error or a shorter message, never a trap",
    arguments: [
      Samples.lists.serialized(), Samples.maps.serialized(), Samples.tree.serialized(),
      Samples.scalars.serialized(), Samples.choice.serialized(),
    ])
  func cutAnywhere(bytes: [UInt8]) throws {
    for length in 0..<bytes.count {
      let cut = Array(bytes.prefix(length))
      for decode in Samples.decoders {
        if let again = try? decode(cut) { #expect(try decode(again).count == again.count) }
      }
    }
  }

  @Test("A varint in a packed field ends within the field")
  func packedBounds() {
    #expect(errorCode { try Lists(serialized: hex("1a 02 01 80 01")) } == .truncated)
    #expect(errorCode { try Lists(serialized: hex("4a 03 010203")) } == .truncated)
    #expect(errorCode { try Lists(serialized: hex("52 07 01020304050607")) } == .truncated)
  }
}
