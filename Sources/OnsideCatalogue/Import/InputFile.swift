import Glibc

/// A file that is read from the start to the end.
struct InputFile: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// The size at the time of opening; nil for something that isn't a plain file.
  let byteCount: Int?

  /// - Throws: `.unreadable` with the system's reason.
  init(_ path: String) throws(CatalogueError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(path, "open", errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let reason = errno
      close(descriptor)
      throw Self.error(path, "read", reason)
    }
    byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit {
    close(descriptor)
  }

  /// Reads into the beginning of a buffer; 0 at the end.
  ///
  /// - Throws: `.unreadable` with the system's reason.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CatalogueError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw Self.error(path, "read", errno) }
    }
  }

  /// Reads everything.
  ///
  /// - Throws: `.unreadable`, also above a limit.
  func readAll(limit: Int) throws(CatalogueError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    var used = 0
    while true {
      if used == bytes.count { bytes.append(contentsOf: repeatElement(0, count: used)) }
      var span = bytes.mutableSpan
      let start = used
      let count = try span.withUnsafeMutableBytes { buffer throws(CatalogueError) in
        try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
      }
      if count == 0 { break }
      used += count
      guard used <= limit else {
        throw CatalogueError(
          .unreadable, file: path, reason: "the file has more than \(limit) bytes")
      }
    }
    bytes.removeLast(bytes.count - used)
    return bytes
  }

  private static func error(_ path: String, _ verb: String, _ number: Int32) -> CatalogueError {
    let reason = String(cString: strerror(number))
    return CatalogueError(.unreadable, file: path, reason: "can't \(verb) the file: \(reason)")
  }
}
