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
    try #require(made.exitCode == 0, "\(made.errorText)")
    var answer = ""
    var count = 0
    for line in String(decoding: made.standardOutput, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let codec = try #require(ReferenceSchema.codecs[parts[0]])
      answer += "\(line) \(hexText(try codec(hex(parts[1]))))\n"
      count += 1
    }
    #expect(count == 12 * ReferenceSchema.codecs.count)
    let checked = try await python([descriptors.path, "check"], input: Data(answer.utf8))
    let differences = String(decoding: checked.standardOutput, as: UTF8.self)
    #expect(checked.exitCode == 0, "seed \(seed): \(differences.prefix(2000)) \(checked.errorText)")
  }

  private func python(
    _ arguments: [String], input: Data = Data()
  ) async throws -> Subprocess.Output {
    try await Subprocess.run(
      ReferenceSchema.python, [ReferenceSchema.script] + arguments, input: input)
  }
}
