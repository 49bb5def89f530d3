import Glibc

/// Why a file can't be read.
struct FileError: Error {
  /// What the system said, or which limit the file is over.
  let reason: String
}

/// Reads small files at once.
enum WholeFile {
  /// The bytes of a file.
  ///
  /// - Parameter limit: A larger file is refused, so that a wrong path (a device, a log) fails.
  static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(reason: systemText("can't be opened")) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    let step = 64 << 10
    while bytes.count <= limit {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: step))
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), step)
      }
      if count < 0, errno == EINTR {
        bytes.removeLast(step)
        continue
      }
      guard count >= 0 else { throw FileError(reason: systemText("can't be read")) }
      bytes.removeLast(step - count)
      if count == 0 { return bytes }
    }
    throw FileError(reason: "has more than \(limit) bytes, which is the limit")
  }

  private static func systemText(_ what: String) -> String {
    "\(what): \(String(cString: strerror(errno)))"
  }
}
