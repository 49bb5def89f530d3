import ConformanceMessages
import ProtobufWire
import Testing

@Suite("Fields that come more than once")
struct MergingTests {
  @Test("The last value of a scalar counts")
  func scalars() throws {
    let scalars = try Scalars(serialized: hex("18 01 18 02 72 01 61 72 01 62"))
    #expect(scalars.anInt32 == 2)
    #expect(scalars.aString == "b")
  }

  @Test("A message is merged; its lists grow")
  func messages() throws {
    let tree = try Tree(
      serialized: field(2, field(1, hex("61")) + field(3, [])) + field(2, field(3, hex("30 05"))))
    #expect(tree.left == Tree(label: "a", children: [Tree(), Tree(other: .leaf(5))]))
  }

  @Test("A list takes packed and unpacked elements, whatever its schema says")
  func lists() throws {
    let bytes = hex("1a 02 01 02 18 03 1a 00 1a 01 04")
    #expect(try Lists(serialized: bytes).int32s == [1, 2, 3, 4])
    #expect(try UnpackedLists(serialized: bytes).int32s == [1, 2, 3, 4])
  }

  @Test("The last field of a oneof counts; the same message again is merged")
  func oneofs() throws {
    #expect(try Choice(serialized: hex("28 01 32 01 61")).choice == .aString("a"))
    let merged = try Choice(serialized: field(9, hex("18 01")) + field(9, hex("68 01")))
    #expect(merged.choice == .scalars(Scalars(anInt32: 1, aBool: true)))
    let replaced = try Choice(
      serialized: field(9, hex("18 01")) + hex("28 00") + field(9, hex("68 01")))
    #expect(replaced.choice == .scalars(Scalars(aBool: true)))
  }

  @Test("A map's last entry counts; a missing key or value has its default; others are skipped")
  func maps() throws {
    let twice = field(3, hex("08 01 10 02")) + field(3, hex("08 01 10 03"))
    #expect(try Maps(serialized: twice).byUint32 == [1: 3])
    #expect(try Maps(serialized: field(3, [])).byUint32 == [0: 0])
    #expect(try Maps(serialized: field(3, hex("10 05"))).byUint32 == [0: 5])
    #expect(try Maps(serialized: field(3, hex("78 01 10 05 08 02"))).byUint32 == [2: 5])
    let merged = field(12, field(2, field(1, hex("61"))) + field(2, field(2, [])))
    #expect(try Maps(serialized: merged).byString == ["": Tree(label: "a", left: Tree())])
  }

  @Test("Numbers of more than 32 bits are cut to the field's")
  func truncation() throws {
    let huge = hex("ffffffffffffffffff01")
    let scalars = try Scalars(serialized: hex("18") + huge + hex("28") + huge + hex("68 8002"))
    #expect(scalars.anInt32 == -1)
    #expect(scalars.aUint32 == .max)
    #expect(scalars.aBool)
  }

  @Test("An enumeration keeps numbers without a name")
  func openEnums() throws {
    let scalars = try Scalars(serialized: hex("80 01 e8 07"))
    #expect(scalars.colour == Colour(rawValue: 1000))
    #expect(scalars.serialized() == hex("80 01 e8 07"))
  }
}
