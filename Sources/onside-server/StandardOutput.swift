import Glibc

/// Writes whole texts to the standard streams, without a buffer: whoever waits for them gets them
/// at once.
enum StandardOutput {
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nobody reads it any more: the server serves on.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
