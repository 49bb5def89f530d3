import TestSupport
import Foundation
import FuzzTargets
import Testing

/// What fuzzers have found worth keeping (`make fuzz`), without a fuzzer.
@Suite struct CorpusTests {
  /// Inputs that once crashed, and inputs that reach much of the code.
  @Test(arguments: FuzzTarget.allCases)
  func keptInputsPass(_ target: FuzzTarget) throws {
    for folder in ["crashers", "corpus"] {
      for file in try files(folder, target) {
        let bytes = try [UInt8](Data(contentsOf: file))
        #expect(throws: Never.self, "\(folder)/\(target)/\(file.lastPathComponent)") {
          try target.run(bytes)
        }
      }
    }
    #expect(try !files("corpus", target).isEmpty)
  }

  /// Nobody's mistake in a folder's name keeps inputs from being run.
  @Test func everyFolderBelongsToATarget() throws {
    let known = Set(FuzzTarget.allCases.map(\.rawValue))
    for folder in ["crashers", "corpus"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: root(folder).path)
      #expect(Set(names.filter { !$0.hasPrefix(".") }).isSubset(of: known))
    }
  }

  /// Each target also takes what nobody chose: nothing, and random bytes.
  @Test(arguments: FuzzTarget.allCases)
  func anyBytesPass(_ target: FuzzTarget) throws {
    try target.run([])
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...600, using: &random)
      try target.run((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  private func root(_ folder: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz").appending(path: folder)
  }

  private func files(_ folder: String, _ target: FuzzTarget) throws -> [URL] {
    let folder = root(folder).appending(path: target.rawValue)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { !$0.lastPathComponent.hasPrefix(".") }
  }
}
