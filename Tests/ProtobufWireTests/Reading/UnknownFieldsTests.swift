import ConformanceMessages
import ProtobufWire
import Testing

@Suite("Fields that the schema doesn't have")
struct UnknownFieldsTests {
  @Test("A reader with an older schema passes on what it doesn't know")
  func olderSchema() throws {
    let older = try OlderScalars(serialized: Samples.scalars.serialized())
    #expect(older.anInt32 == .min)
    #expect(!older.unknownFields.isEmpty)
    #expect(try Scalars(serialized: older.serialized()) == Samples.scalars)
  }

  @Test("They are kept as they came, in their order")
  func bytes() throws {
    let unknown = hex(
      "c83e 9601 c33e 08 01 c43e ca3e 03 616263 c93e 0102030405060708 cd3e 01020304")
    let older = try OlderScalars(serialized: unknown + hex("18 07"))
    #expect(older.anInt32 == 7)
    #expect(older.unknownFields.bytes == unknown)
    #expect(older.serialized() == hex("18 07") + unknown)
  }

  @Test("A known field with another wire type is an unknown one")
  func otherWireType() throws {
    let bytes = hex("1d 01020304")
    let older = try OlderScalars(serialized: bytes)
    #expect(older.anInt32 == 0)
    #expect(older.unknownFields.bytes == bytes)
  }

  @Test("Nested messages keep their own")
  func nested() throws {
    let bytes = field(2, hex("78 05"))
    let tree = try Tree(serialized: bytes)
    #expect(tree.unknownFields.isEmpty)
    #expect(tree.left?.unknownFields.bytes == hex("78 05"))
    #expect(tree.serialized() == bytes)
  }

  @Test("Merging adds to them, and they count for equality")
  func merging() throws {
    var older = try OlderScalars(serialized: hex("08 01"))
    let more = hex("10 02")
    var reader = WireReader(more.span.bytes)
    try older.merge(from: &reader)
    #expect(older.unknownFields.bytes == hex("08 01 10 02"))
    #expect(older != OlderScalars())
  }
}
