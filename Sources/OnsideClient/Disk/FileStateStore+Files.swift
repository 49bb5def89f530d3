import Glibc

/// The system calls.
extension FileStateStore {
  static func failed(_ what: String, _ path: String) -> OnsideError {
    OnsideError(.storeFailed, "can't \(what) \(path): \(String(cString: strerror(errno)))")
  }

  /// Makes a directory and what is missing above it.
  static func makeDirectory(_ path: String) throws(OnsideError) {
    var end = path.startIndex
    while end != path.endIndex {
      path.formIndex(after: &end)
      guard end == path.endIndex || path[end] == "/" else { continue }
      let part = String(path[..<end])
      if mkdir(part, 0o700) != 0 && errno != EEXIST { throw failed("make", part) }
    }
  }

  /// The bytes of a file; nil: there is none.
  static func read(_ path: String) throws(OnsideError) -> [UInt8]? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failed("open", path)
    }
    defer { Glibc.close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= SealedPiece.maximumBytes {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failed("read", path)
      }
      bytes.append(contentsOf: buffer[..<count])
    }
    return nil
  }

  /// Puts a file with new content in the place of an old one, which stays beside it.
  func replace(_ path: String, with bytes: [UInt8]) throws(OnsideError) {
    let draft = path + ".new"
    try Self.write(draft, bytes)
    // Between the two steps the old file is under its second name, where it is looked for.
    if rename(path, path + ".before") != 0 && errno != ENOENT { throw Self.failed("move", path) }
    guard rename(draft, path) == 0 else { throw Self.failed("move", draft) }
    try Self.sync(directory)
  }

  private static func write(_ path: String, _ bytes: [UInt8]) throws(OnsideError) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failed("open", path) }
    defer { Glibc.close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw failed("write", path)
      }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw failed("sync", path) }
  }

  static func sync(_ directory: String) throws(OnsideError) {
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failed("open", directory) }
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failed("sync", directory) }
  }
}
