import ConformanceMessages
import ProtobufWire

/// A message of each type in `kinds.proto`, with values at the edges of their types.
enum Samples {
  static let scalars = Scalars(
    aDouble: -0.0, aFloat: .infinity, anInt32: .min, anInt64: .min, aUint32: .max, aUint64: .max,
    aSint32: .min, aSint64: .max, aFixed32: .max, aFixed64: 1, anSfixed32: -1, anSfixed64: .min,
    aBool: true, aString: "Zoë 🎈\0", someBytes: [0, 255, 128], colour: .infrared)

  static let optionals = Optionals(
    aDouble: 0, aFloat: 0, anInt32: 0, anInt64: 0, aUint32: 0, aUint64: 0, aSint32: 0, aSint64: 0,
    aFixed32: 0, aFixed64: 0, anSfixed32: 0, anSfixed64: 0, aBool: false, aString: "",
    someBytes: [], colour: .unspecified, scalars: Scalars())

  static let lists = Lists(
    doubles: [0, -1.5, .greatestFiniteMagnitude], floats: [0, 1.5], int32s: [0, 1, -1, .max],
    int64s: [.min, 0, 300], uint32s: [0, 127, 128, .max], uint64s: [.max, 0],
    sint32s: [0, -1, 1, .min], sint64s: [.max, -2], fixed32s: [1, .max], fixed64s: [2],
    sfixed32s: [-1, 0], sfixed64s: [.min], bools: [true, false, true],
    strings: ["", "a", "a string that is longer than fifteen bytes"],
    byteStrings: [[], [0], Array(repeating: 7, count: 200)], colours: [.green, .infrared],
    trees: [Tree(), Tree(label: "t")])

  static let unpackedLists = UnpackedLists(
    doubles: lists.doubles, floats: lists.floats, int32s: lists.int32s, int64s: lists.int64s,
    uint32s: lists.uint32s, uint64s: lists.uint64s, sint32s: lists.sint32s,
    sint64s: lists.sint64s, fixed32s: lists.fixed32s, fixed64s: lists.fixed64s,
    sfixed32s: lists.sfixed32s, sfixed64s: lists.sfixed64s, bools: lists.bools,
    strings: lists.strings, byteStrings: lists.byteStrings, colours: lists.colours,
    trees: lists.trees)

  /// One entry each: the order of several is nobody's promise.
  static let maps = Maps(
    byInt32: [-1: 0.5], byInt64: [.min: 0], byUint32: [.max: -7], byUint64: [.max: .min],
    bySint32: [.min: 1], bySint64: [-2: -3], byFixed32: [0: true], byFixed64: [9: [1, 2]],
    bySfixed32: [-5: 5], bySfixed64: [-6: .red], byBool: [true: "yes"],
    byString: ["": Tree(label: "deep", left: Tree())])

  static let tree = Tree(
    label: "root", left: Tree(label: "left", left: Tree(label: "left of left")),
    children: [Tree(label: "a"), Tree(), Tree(other: .leaf(-3))],
    named: ["one": Tree(label: "1", other: .branch(Tree(label: "twig")))],
    other: .branch(Tree(children: [Tree(label: "b")])))

  static let choice = Choice(
    choice: .scalars(scalars), between: "between", second: .high(1 << 40))

  /// Decodes and encodes as each type.
  static let decoders: [@Sendable ([UInt8]) throws -> [UInt8]] = [
    { try Scalars(serialized: $0).serialized() }, { try Optionals(serialized: $0).serialized() },
    { try Lists(serialized: $0).serialized() }, { try UnpackedLists(serialized: $0).serialized() },
    { try Maps(serialized: $0).serialized() }, { try Tree(serialized: $0).serialized() },
    { try Choice(serialized: $0).serialized() }, { try Names(serialized: $0).serialized() },
    { try ProtobufTestMessages_Proto3_TestAllTypesProto3(serialized: $0).serialized() },
  ]
}
