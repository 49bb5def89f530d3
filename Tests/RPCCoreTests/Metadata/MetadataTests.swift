import ProtobufWire
import Testing

@testable import RPCCore

@Suite struct MetadataTests {
  @Test func orderAndDuplicatesAreKept() throws {
    var metadata = Metadata()
    try metadata.add("b", "1")
    try metadata.add("a", "2")
    try metadata.add("b", binary: [3])
    #expect(metadata.entries.map(\.key) == ["b", "a", "b"])
    #expect(metadata.all("b") == [.ascii("1"), .binary([3])])
    #expect(metadata.first("b") == "1" && metadata.firstBinary("b") == [3])
    metadata.remove("b")
    #expect(metadata.count == 1)
  }

  @Test(arguments: ["", "A", "ä", "a b", "a:b", "a\n", String(repeating: "k", count: 65)])
  func badKeysAreRefused(_ key: String) {
    var metadata = Metadata()
    #expect(throws: Metadata.Refusal.invalidKey(key)) { try metadata.add(key, "v") }
  }

  @Test func reservedKeysAndBadValuesAreRefused() throws {
    var metadata = Metadata()
    #expect(throws: Metadata.Refusal.reservedKey("rpc-x")) { try metadata.add("rpc-x", "v") }
    #expect(throws: Metadata.Refusal.invalidValue(key: "k")) { try metadata.add("k", "a\nb") }
    try metadata.add(String(repeating: "k", count: 64), "")
    for _ in 1..<128 { try metadata.add("k", "v") }
    #expect(throws: Metadata.Refusal.tooMany) { try metadata.add("k", "v") }
  }

  @Test func receivedReservedKeysAreLeftOut() throws {
    let entry: [UInt8] = [0x0A, 10, 0x0A, 5] + Array("rpc-x".utf8) + [0x12, 1, 0x41]
    #expect(try Metadata(headers: entry.span.bytes).isEmpty)
  }

  @Test func everyByteValueRoundTrips() throws {
    var metadata = Metadata()
    try metadata.add("k", binary: Array(0...255))
    var bytes = [UInt8](repeating: 0, count: MetadataCoding.size(metadata))
    bytes.withUnsafeMutableBytes { room in
      var writer = WireWriter(room)
      MetadataCoding.write(metadata, tag: HeadersField.metadata, to: &writer)
    }
    #expect(try Metadata(headers: bytes.span.bytes) == metadata)
  }
}
