import TestSupport
import Foundation
import ProtobufReflection
import Testing

/// Python's protobuf library is the independent judge of the JSON form.
@Suite(
  "JSON as Python's protobuf has it",
  .enabled(
    if: isAvailable(
      "/usr/lib/python3/dist-packages/google/protobuf", for: "the comparisons with Python")))
struct PythonTests {
  /// Reads pairs of lines, the bytes of a message and its JSON form. Writes for each the JSON form
  /// of the bytes and the bytes of the JSON form.
  private static let program = """
    import sys
    from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
    pool = descriptor_pool.DescriptorPool()
    files = descriptor_pb2.FileDescriptorSet.FromString(open(sys.argv[1], "rb").read())
    for file in files.file: pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    for line in sys.stdin:
      name, content = line.split()
      text = bytes.fromhex(sys.stdin.readline().strip()).decode()
      kind = factory.GetPrototype(pool.FindMessageTypeByName(name))
      message = kind.FromString(bytes.fromhex(content))
      print(json_format.MessageToJson(message, indent=None, descriptor_pool=pool))
      parsed = json_format.Parse(text, kind(), descriptor_pool=pool)
      print(parsed.SerializeToString(deterministic=True).hex())
    """

  @Test("Random messages of every kind of field have the same form, both ways")
  func random() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var source = RandomMessage(seed: seed)
    var messages: [DynamicMessage] = []
    for name in ["Scalars", "Optionals", "Lists", "UnpackedLists", "Maps", "Tree", "Choice"] {
      for _ in 0..<30 { messages.append(source.make(Schema.kind(name))) }
    }
    let kinds = messages.count
    for _ in 0..<200 { messages.append(source.make(Schema.testAllTypes)) }
    try await compare(Array(messages[..<kinds]), Schema.kinds, seed)
    try await compare(Array(messages[kinds...]), Schema.conformance, seed)
  }

  private func compare(
    _ messages: [DynamicMessage], _ pool: DescriptorPool, _ seed: UInt64
  ) async throws {
    let set = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).fds")
    try Data(pool.files.flatMap { delimited($0.serialized) }).write(to: set)
    defer { try? FileManager.default.removeItem(at: set) }
    var input = ""
    var texts: [String] = []
    for message in messages {
      let text = try message.json()
      texts.append(text)
      // An empty message has no digits, and split() would have nothing to find.
      input += "\(message.type.fullName) \(digits(message.serialized() + [0xfa, 0x7f, 0]))\n"
      input += digits(Array(text.utf8)) + "\n"
    }
    let result = try await Program.run(
      ["/usr/bin/python3", "-c", Self.program, set.path], input: Array(input.utf8))
    try #require(result.status == 0, "\(result.errors.suffix(500)) seed \(seed)")
    let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count == 2 * messages.count + 1)
    for (index, message) in messages.enumerated() {
      let theirs = String(lines[2 * index])
      #expect(
        try isSameJSON(texts[index], theirs), "\(texts[index])\n\(theirs)\nseed \(seed)")
      let parsed = try DynamicMessage(
        serialized: hex(String(lines[2 * index + 1])), as: message.type)
      // Within an Any, Python's maps have an order of their own.
      #expect(
        try parsed.serialized() == message.serialized()
          || isSameJSON(parsed.json(), texts[index]), "\(texts[index]) seed \(seed)")
    }
  }

  /// A file of a `FileDescriptorSet`.
  private func delimited(_ file: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    var rest = file.count
    while rest >= 0x80 {
      length.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return [0x0a] + length + [UInt8(rest)] + file
  }

  private func digits(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }
}
