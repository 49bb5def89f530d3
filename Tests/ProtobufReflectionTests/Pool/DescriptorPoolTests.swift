import ConformanceMessages
import ProtobufReflection
import ProtobufWire
import Testing

@Suite("Descriptor pools")
struct DescriptorPoolTests {
  @Test("Everything that a file defines is found by its full name")
  func symbols() throws {
    let pool = Schema.conformance
    #expect(
      pool.message(named: "google.protobuf.Any")?.fields.map(\.name) == ["type_url", "value"])
    #expect(pool.enumeration(named: "google.protobuf.NullValue")?.number(of: "NULL_VALUE") == 0)
    #expect(pool.message(named: ".google.protobuf.Any") == nil)
    for symbol in [
      "google.protobuf.Value", "google.protobuf.Value.kind", "google.protobuf.Value.null_value",
      "google.protobuf.NULL_VALUE",
    ] {
      #expect(pool.file(defining: symbol)?.name == "google/protobuf/struct.proto", "\(symbol)")
    }
    #expect(pool.file(defining: "google.protobuf") == nil)
  }

  @Test("A file comes behind what it imports, each once")
  func imports() throws {
    let file = try #require(
      Schema.conformance.file(named: "google/protobuf/test_messages_proto3.proto"))
    let names = file.withImports.map(\.name)
    #expect(names.last == file.name)
    #expect(Set(names).count == names.count)
    #expect(names.count == 7)
    #expect(
      try DescriptorPool(serializedFiles: file.withImports.map(\.serialized)).files.count == 7)
  }

  @Test("Of two files with the same name the first counts")
  func sameName() throws {
    let pool = try DescriptorPool(
      serializedFiles: [ProtoFile.testV1Kinds.descriptor, ProtoFile.testV1Kinds.descriptor])
    #expect(pool.files.count == 1)
  }

  @Test("The well-known files are a pool of their own")
  func wellKnown() throws {
    let pool = try DescriptorPool(DescriptorPool.wellKnownFiles)
    #expect(pool.files.count == 8)
    #expect(pool.message(named: "google.protobuf.FileDescriptorProto") != nil)
  }

  @Test("What is wrong with a set of files is told")
  func mistakes() throws {
    func mistake(_ files: [[UInt8]]) -> String? {
      do {
        _ = try DescriptorPool(serializedFiles: files)
        return nil
      } catch {
        return error.description
      }
    }
    let main = ProtoFile.googleProtobufTestMessagesProto3.descriptor
    #expect(mistake([main])?.contains("is not in the files; add the file that defines it") == true)
    #expect(mistake([[0x0a, 5]])?.contains("can't be decoded") == true)
    // Two files with a message M, in no package.
    let first: [UInt8] = [0x0a, 1, 0x61, 0x22, 3, 0x0a, 1, 0x4d]
    let second: [UInt8] = [0x0a, 1, 0x62, 0x22, 3, 0x0a, 1, 0x4d]
    #expect(mistake([first, second]) == "b: M is defined twice")
    // Names that would do something to a terminal, or begin with a digit.
    let control: [UInt8] = [0x0a, 1, 0x61, 0x22, 4, 0x0a, 2, 0x4d, 0x1b]
    #expect(mistake([control]) == #"a: "M\u001b" is no name"#)
    #expect(mistake([[0x0a, 1, 0x61, 0x22, 4, 0x0a, 2, 0x34, 0x4d]]) == #"a: "4M" is no name"#)
    #expect(mistake([[0x0a, 1, 0x61, 0x22, 2, 0x0a, 0]]) == #"a: "" is no name"#)
    // A field with the number 0, and one of the type 99.
    let field: [UInt8] = [0x0a, 1, 0x61, 0x22, 10, 0x0a, 1, 0x4d, 0x12, 5, 0x0a, 1, 0x66, 0x28, 5]
    #expect(mistake([field]) == "a: M.f: the number 0 is not allowed")
    let kind: [UInt8] = [
      0x0a, 1, 0x61, 0x22, 12, 0x0a, 1, 0x4d, 0x12, 7, 0x0a, 1, 0x66, 0x18, 1, 0x28, 99,
    ]
    #expect(mistake([kind]) == "a: M.f: unknown type 99")
    #expect(throws: DescriptorError.self) { try DescriptorPool(descriptorSet: [1, 2, 3]) }
    #expect(throws: DescriptorError.self) { try DescriptorPool(descriptorSet: []) }
  }
}
