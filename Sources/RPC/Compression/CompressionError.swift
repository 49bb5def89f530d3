/// Why a compressed message was refused.
public enum CompressionError: Error, Sendable, Equatable {
  /// It inflates to more than a message may have; the limit in bytes.
  case tooLarge(limit: Int)

  /// It inflates to more than 1 MiB at a ratio that no honest message reaches; the allowed ratio.
  case suspiciousRatio(limit: Int)

  /// The stream ends before its end mark.
  case truncated

  /// Not a zlib stream, or its checksum doesn't match.
  case corrupt

  /// Bytes follow the stream's end, how many. A second stream counts as such.
  case trailingBytes(Int)

  /// zlib couldn't get memory.
  case outOfMemory

  /// The method's messages carry secrets and are never compressed.
  case notAllowed
}

extension CompressionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let limit):
      "the compressed message inflates to more than the limit of \(limit) bytes"
    case .suspiciousRatio(let limit):
      "the compressed message inflates to more than \(limit) times its size"
    case .truncated:
      "the compressed message ends before its zlib stream does"
    case .corrupt:
      "the compressed message is not a valid zlib stream"
    case .trailingBytes(let count):
      "\(count) bytes follow the zlib stream of the compressed message"
    case .outOfMemory:
      "no memory for the compressed message"
    case .notAllowed:
      "the method's messages carry credentials and must not be compressed"
    }
  }

  /// The status that the peer gets: its message is too large, or it isn't what it says.
  public var statusCode: StatusCode {
    switch self {
    case .tooLarge, .suspiciousRatio, .outOfMemory: .resourceExhausted
    case .truncated, .corrupt, .trailingBytes: .internal
    case .notAllowed: .unimplemented
    }
  }
}
