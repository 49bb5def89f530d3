import TestSupport
import Foundation
import Testing

@Suite(
  "The codec against Python's protobuf",
  .enabled(if: isAvailable(ReferenceSchema.pythonProtobuf, for: "the comparisons with Python")))
struct PythonTests {
  @Test("Random messages of every type are the same to Python after the codec has had them")
  func randomMessages() async throws {
    let seed = SeededGenerator.testSeed
    print("seed of Python's messages \(seed); ONSIDE_SEED repeats it")
    let descriptors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: descriptors) }
    _ = try await ReferenceSchema.protoc(["--descriptor_set_out=\(descriptors.path)"])
    let made = try await python([descriptors.path, "make", "\(seed)", "12"])
    try #require(made.status == 0, "\(made.errors)")
    var answer = ""
    var count = 0
    for line in made.text.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let codec = try #require(ReferenceSchema.codecs[parts[0]])
      answer += "\(line) \(hexText(try codec(hex(parts[1]))))\n"
      count += 1
    }
    #expect(count == 12 * ReferenceSchema.codecs.count)
    let checked = try await python([descriptors.path, "check"], input: Array(answer.utf8))
    #expect(
      checked.status == 0, "seed \(seed): \(checked.text.prefix(2000)) \(checked.errors)")
  }

  private func python(
    _ arguments: [String], input: [UInt8] = []
  ) async throws -> ProgramEnd {
    try await Program.run(
      [ReferenceSchema.python, ReferenceSchema.script] + arguments, input: input)
  }
}
