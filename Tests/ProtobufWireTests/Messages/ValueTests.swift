import ConformanceMessages
import ProtobufWire
import Testing

@Suite("Generated values")
struct ValueTests {
  @Test("A copy of a recursive message doesn't see its original's changes")
  func indirectCopies() {
    var tree = Tree(left: Tree(label: "before"))
    let copy = tree
    tree.left?.label = "after"
    #expect(copy.left?.label == "before")
    #expect(tree.left?.label == "after")
    tree.left = nil
    #expect(copy.left != nil)
  }

  @Test("Equality and hash are those of the values, not of the boxes")
  func indirectEquality() {
    let one = Tree(left: Tree(label: "x"))
    let other = Tree(left: Tree(label: "x"))
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != Tree(left: Tree()))
    #expect(Tree(left: Tree()) != Tree())
  }

  @Test("A property of a oneof's field is nil unless that field is set")
  func oneofProperties() {
    var choice = Choice(choice: .aString("a"))
    #expect(choice.aString == "a")
    #expect(choice.aBool == nil)
    choice.aBool = nil
    #expect(choice.choice == .aString("a"))
    choice.aBool = false
    #expect(choice.choice == .aBool(false))
    choice.aBool = nil
    #expect(choice.choice == nil)
  }

  @Test("Names that Swift or generated code use otherwise still work")
  func names() throws {
    let names = Names(
      self_: "s", size: 1, plan: [1, 2], writer: "w", reader: "r", tag: 9, value: "v",
      box: Names(tag: 1), class: "c", init_: true, unknownFields_: "u", description: "d",
      userID_13: "u1", userID: .userNumber(2), iconURLs: ["i"], type: .self_,
      string: Names.String_(text: "t"), default: .func(Names(size: 5)))
    #expect(try Names(serialized: names.serialized()) == names)
    #expect(Names.Type_(rawValue: 4) == ._3D)
    #expect(Names.Type_.none_.name == "TYPE_NONE")
  }

  @Test("Enumerations know their names, aliases included")
  func enumerations() {
    #expect(Colour.green == Colour.vert)
    #expect(Colour.green.name == "COLOUR_GREEN")
    #expect(Colour(name: "COLOUR_VERT") == .green)
    #expect(Colour(name: "COLOUR_PLAID") == nil)
    #expect(Colour.infrared.rawValue == -1)
    #expect("\(Colour(rawValue: 77))" == "77")
    #expect(Colour(rawValue: 77).name == nil)
  }

  @Test("Errors say what and where")
  func errors() {
    #expect("\(WireError(.invalidUTF8, at: 7))" == "a string is not UTF-8 at byte 7")
    #expect("\(WireError.Code(rawValue: 200))" == "protobuf error 200")
  }
}
