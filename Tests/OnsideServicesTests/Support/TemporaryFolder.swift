import Glibc

/// A folder that goes with the test that made it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws(TestFailure) {
    var template = Array("/tmp/onside-services-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw TestFailure("no temporary folder") }
    path = String(cString: made)
  }

  deinit {
    // Flat: tests make no folders in it.
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { unlink("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
  }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws(TestFailure) -> String {
    let file = "\(path)/\(name)"
    guard let stream = fopen(file, "w") else { throw TestFailure("can't write \(file)") }
    defer { fclose(stream) }
    guard fputs(text, stream) >= 0 else { throw TestFailure("can't write \(file)") }
    return file
  }
}

/// What keeps a test from doing its work.
struct TestFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
