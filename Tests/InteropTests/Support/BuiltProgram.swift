import Foundation
import TestSupport

/// What keeps a test from doing its work.
struct InteropFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A program of this package, which stands beside the tests' own.
func builtProgram(_ name: String) throws -> String {
  let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let folder = URL(fileURLWithPath: own).deletingLastPathComponent().path
  for base in [folder, Folders.package.path + "/.build/debug"] {
    let path = base + "/" + name
    if FileManager.default.isExecutableFile(atPath: path) { return path }
  }
  throw InteropFailure("\(name) isn't built; run swift build --build-tests")
}
