import Foundation

/// A folder that goes away with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "onside-transport-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}

func write(_ text: String, to path: String) throws {
  try text.write(toFile: path, atomically: true, encoding: .utf8)
}

func copyFile(_ source: String, _ target: String) throws {
  try? FileManager.default.removeItem(atPath: target)
  try FileManager.default.copyItem(atPath: source, toPath: target)
}
