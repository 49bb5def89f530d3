import Glibc

extension Logger {
  /// Writes a line on standard error with one system call, so that lines of several threads don't
  /// mix. What can't be written is dropped: a log that nobody reads must not stop a server.
  public static let standardError: @Sendable (String) -> Void = { line in
    var line = line
    line.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = write(STDERR_FILENO, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return }
        sent += count
      }
    }
  }
}
