import Glibc

/// A folder for one test, removed with all that is in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(root)/onside-store-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no temporary folder in \(root)")
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  /// The path of a file in the folder.
  func file(_ name: String = "store.sqlite") -> String { "\(path)/\(name)" }

  deinit {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      unlink(file(name))
    }
    closedir(folder)
    rmdir(path)
  }
}
