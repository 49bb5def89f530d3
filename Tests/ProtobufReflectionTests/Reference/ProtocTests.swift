import TestSupport
import Foundation
import ProtobufReflection
import Testing

/// What is printed is a `.proto` file that protoc understands as it understood the original.
@Suite(
  "Definitions as protoc reads them",
  .enabled(if: isAvailable("/usr/bin/protoc", for: "the comparisons with protoc")))
struct ProtocTests {
  @Test("The definitions of a file make the same types again")
  func printed() async throws {
    let names = [
      "Scalars", "Optionals", "Lists", "UnpackedLists", "Maps", "Tree", "Choice", "Names",
      "Colour", "OlderScalars",
    ]
    var text = "syntax = \"proto3\";\npackage test.v1;\n"
    for name in names { text += try #require(Schema.kinds.describe("test.v1." + name)).definition }
    let again = try await compile(text)
    for name in names where name != "Colour" {
      let left = Schema.kind(name)
      let right = try #require(again.message(named: "test.v1." + name))
      #expect(left.fields.map(Facts.init) == right.fields.map(Facts.init), "\(name)")
    }
    #expect(again.describe("test.v1.Names") == Schema.kinds.describe("test.v1.Names"))
    #expect(again.describe("test.v1.Colour") == Schema.kinds.describe("test.v1.Colour"))
  }

  private func compile(_ text: String) async throws -> DescriptorPool {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try text.write(to: folder.appending(path: "a.proto"), atomically: true, encoding: .utf8)
    let set = folder.appending(path: "a.fds")
    let result = try await Program.run(
      [
        "/usr/bin/protoc", "-I\(folder.path)", "--include_imports", "--include_source_info", "-o",
        set.path,
        "a.proto",
      ])
    try #require(result.status == 0, "\(result.errors)\n\(text)")
    return try DescriptorPool(descriptorSet: [UInt8](try Data(contentsOf: set)))
  }

  private struct Facts: Equatable {
    let name: String
    let jsonName: String
    let number: UInt32
    let kind: FieldKind
    let type: String?
    let isRepeated: Bool
    let hasPresence: Bool

    init(_ field: MessageField) {
      name = field.name
      jsonName = field.jsonName
      number = field.number
      kind = field.kind
      type = field.messageType?.fullName ?? field.enumType?.fullName
      isRepeated = field.isRepeated
      hasPresence = field.hasPresence
    }
  }
}
