/// Whether a message is compressed on its way.
///
/// It never is before the peer has said that it takes compressed messages, nor in methods that
/// carry credentials, nor where it wouldn't get smaller.
public enum MessageCompression: Sendable, Hashable {
  /// From the size on that the client's or the server's configuration gives; without one, never.
  case automatic

  /// Whatever its size is.
  case always

  /// Not at all.
  case never

  /// Whether a message of `size` bytes is to be compressed.
  ///
  /// - Parameter threshold: The configured size; nil: none.
  @inline(__always)
  package func applies(to size: Int, threshold: Int?) -> Bool {
    switch self {
    case .automatic: threshold.map { size >= $0 } ?? false
    case .always: true
    case .never: false
    }
  }
}
