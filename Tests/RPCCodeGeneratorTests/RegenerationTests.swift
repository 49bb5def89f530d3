import TestSupport
import Foundation
import Testing

@Suite("The committed code", .enabled(if: Protoc.isAvailable))
struct RegenerationTests {
  private static let folders = [
    "Sources/OnsideProto/Generated", "Sources/RPCProto/Generated",
    "Sources/LoadGenerator/Generated",
    "Sources/ProtobufReflection/Generated", "Sources/ConformanceMessages/Generated",
    "Sources/ConformanceMessages/GeneratedFromDescriptors", "Tests/RPCTests/Generated",
    "Tests/Interop/service/Generated",
  ]

  @Test("What Scripts/proto.sh generates is what is committed")
  func regeneration() async throws {
    try await Protoc.withFolder { folder in
      let result = try await Program.run([
        Folders.package.appending(path: "Scripts/proto.sh").path, "--plugin", Protoc.plugin,
        "--output", folder.path,
      ])
      try #require(result.status == 0, "\(result.errors)")
      for name in Self.folders {
        let generated = try files(in: folder.appending(path: name))
        if generated.isEmpty, name.hasSuffix("GeneratedFromDescriptors") {
          print("skipped: \(name) needs the public conformance descriptors, which are absent")
          #expect(ProcessInfo.processInfo.environment["CI"] != "true")
          continue
        }
        let committed = try files(in: Folders.package.appending(path: name))
        #expect(!generated.isEmpty)
        #expect(Set(generated.keys) == Set(committed.keys), "run make proto")
        for (path, content) in generated {
          #expect(committed[path] == content, "\(name)/\(path) is out of date: run make proto")
        }
      }
    }
  }

  /// Contents by path below a folder; none when there is no such folder.
  private func files(in folder: URL) throws -> [String: String] {
    var contents: [String: String] = [:]
    for path in FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [] {
      guard let path = path as? String, path.hasSuffix(".swift") else { continue }
      contents[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    return contents
  }
}
