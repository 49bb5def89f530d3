import Foundation
import OnsideCatalogue
import Testing

/// Where tests find the files of the package.
enum Package {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func example(_ name: String) -> String {
    root.appending(path: "Examples/catalogues/\(name)").path
  }
}

/// Writes a file, hands its path to `body`, and removes it.
func withFile<Result>(
  _ name: String, _ bytes: [UInt8], _ body: (String) throws -> Result
) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "onside-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: name)
  try Data(bytes).write(to: file)
  return try body(file.path)
}

/// The header of most tests: an app with four storefronts.
let header = """
  {"format":"onside-catalogue/1","app":"app","storefronts":[{"country":"DE"},{"country":"US"},\
  {"country":"JP"},{"id":"gulf","country":"KW"}]}
  """

/// Reads a catalogue in JSON Lines.
func load(_ lines: String...) throws -> CatalogueSnapshot {
  try withFile("test.jsonl", Array(lines.joined(separator: "\n").utf8)) { path in
    try CatalogueLoader().load([CatalogueSource(path: path)]).snapshot
  }
}

/// What reading a catalogue in JSON Lines is refused for, with the file's folder left out.
func refusal(
  _ lines: String..., sourceLocation: SourceLocation = #_sourceLocation
) throws -> (error: CatalogueError, text: String) {
  try withFile("test.jsonl", Array(lines.joined(separator: "\n").utf8)) { path in
    let error = try #require(throws: CatalogueError.self, sourceLocation: sourceLocation) {
      try CatalogueLoader().load([CatalogueSource(path: path)])
    }
    return (error, error.description.replacing(path, with: "test.jsonl"))
  }
}
