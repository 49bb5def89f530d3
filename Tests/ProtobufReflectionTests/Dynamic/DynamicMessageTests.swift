import ConformanceMessages
import ProtobufReflection
import ProtobufWire
import Testing

@Suite("Dynamic messages")
struct DynamicMessageTests {
  @Test("They write what generated code writes")
  func generatedCode() throws {
    let lists = Lists(
      doubles: [0, -1.5], int32s: [0, -1, .max], sint64s: [.max, -2], fixed32s: [1, .max],
      bools: [true, false], strings: ["", "a"], byteStrings: [[], [0]],
      colours: [.green, .infrared], trees: [Tree(), Tree(label: "t", left: Tree(other: .leaf(0)))])
    let dynamic = try DynamicMessage(serialized: lists.serialized(), as: Schema.kind("Lists"))
    #expect(dynamic.serialized() == lists.serialized())
    let unpacked = UnpackedLists(int32s: lists.int32s, bools: lists.bools)
    let read = try DynamicMessage(serialized: unpacked.serialized(), as: Schema.kind("Lists"))
    #expect(read["int32s"] == dynamic["int32s"])
    #expect(
      try DynamicMessage(serialized: lists.serialized(), as: Schema.kind("UnpackedLists"))["bools"]
        == dynamic["bools"])
  }

  @Test("Unknown fields are kept, behind the known ones")
  func unknownFields() throws {
    let scalars = Scalars(anInt32: 3, aString: "kept")
    let read = try DynamicMessage(
      serialized: scalars.serialized(), as: Schema.kind("OlderScalars"))
    #expect(read.serialized() == scalars.serialized())
    #expect(!read.unknownFields.isEmpty)
  }

  @Test("Setting a member of a oneof clears the others; a default without presence isn't set")
  func setting() throws {
    var tree = DynamicMessage(Schema.kind("Tree"))
    tree["branch"] = .single(.message(DynamicMessage(Schema.kind("Tree"))))
    tree["leaf"] = .single(.int32(0))
    #expect(tree["branch"] == nil)
    #expect(tree["leaf"] == .single(.int32(0)))
    tree["label"] = .single(.string(""))
    #expect(tree["label"] == nil)
    tree["nothing"] = .single(.int32(1))
    #expect(tree.serialized() == [0x30, 0])
  }

  @Test("A flood of empty messages is refused before it fills the memory")
  func flood() throws {
    let bytes = [UInt8](repeating: 0, count: 256 << 10).enumerated().map { index, _ in
      index.isMultiple(of: 2) ? UInt8(3 << 3 | 2) : 0
    }
    #expect(throws: WireError.self) {
      try DynamicMessage(
        serialized: bytes, as: Schema.kind("Tree"), limits: DecodingLimits(expansion: 16))
    }
    #expect(try DynamicMessage(serialized: bytes, as: Schema.kind("Tree"))["children"] != nil)
  }

  @Test("Messages may be in each other a hundred times, not more")
  func depth() throws {
    func nested(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      for _ in 0..<count {
        var length: [UInt8] = [UInt8(bytes.count & 0x7f)]
        if bytes.count > 0x7f { length = [length[0] | 0x80, UInt8(bytes.count >> 7)] }
        bytes = [0x12] + length + bytes
      }
      return bytes
    }
    #expect(throws: Never.self) {
      try DynamicMessage(serialized: nested(100), as: Schema.kind("Tree"))
    }
    #expect(throws: WireError.self) {
      try DynamicMessage(serialized: nested(101), as: Schema.kind("Tree"))
    }
  }

  @Test("An opaque message is the bytes that it was made of")
  func opaque() throws {
    let bytes = Scalars(anInt32: 3, aString: "kept").serialized()
    #expect(try OpaqueMessage(serialized: bytes).bytes == bytes)
    #expect(OpaqueMessage(bytes).serialized() == bytes)
    #expect(throws: WireError.self) { try OpaqueMessage(serialized: [8]) }
  }
}
