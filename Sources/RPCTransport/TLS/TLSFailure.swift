import CLinux
import COpenSSL

/// What OpenSSL says after a call that didn't do its work.
struct TLSFailure {
  enum Kind: Equatable {
    case wantRead
    case wantWrite
    /// The peer said goodbye.
    case endOfStream
    /// The peer's bytes ended without a goodbye.
    case truncated
    /// A system call failed, with this error number.
    case system(Int32)
    /// TLS itself failed.
    case tls
  }

  let kind: Kind
  /// The last error of OpenSSL's queue.
  var error: UInt = 0

  /// Reads why a call on `ssl` returned `result`. To be made right after the call.
  @inline(__always)
  init(_ ssl: OpaquePointer, _ result: Int32) {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: kind = .wantRead
    case SSL_ERROR_WANT_WRITE: kind = .wantWrite
    case SSL_ERROR_ZERO_RETURN: kind = .endOfStream
    case SSL_ERROR_SYSCALL:
      let number = clinux_errno()
      kind = number == 0 ? .truncated : .system(number)
    default:
      error = ERR_peek_last_error()
      kind = Self.isUnexpectedEnd(error) ? .truncated : .tls
    }
  }

  /// Whether the call is to be repeated when the socket is ready.
  var isTemporary: Bool { kind == .wantRead || kind == .wantWrite }

  var isEndOfStream: Bool { kind == .endOfStream }

  /// Whether it is OpenSSL's error with this reason.
  func hasReason(_ reason: Int32) -> Bool {
    kind == .tls && copenssl_library(error) == ERR_LIB_SSL && copenssl_reason(error) == reason
  }

  private static func isUnexpectedEnd(_ error: UInt) -> Bool {
    copenssl_library(error) == ERR_LIB_SSL
      && copenssl_reason(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING
  }

  /// The end of a channel that failed this way.
  var channelEnd: ChannelEnd {
    switch kind {
    case .endOfStream: ChannelEnd(.endOfStream, "the peer closed the connection")
    case .truncated:
      ChannelEnd(.truncated, "the connection ended without the TLS goodbye (close_notify)")
    case .system(let number): ChannelEnd(.reset, SystemError.text(number))
    case .tls, .wantRead, .wantWrite: ChannelEnd(.tls, "TLS: " + text)
    }
  }

  /// OpenSSL's text for the error.
  var text: String {
    guard error != 0, let reason = ERR_reason_error_string(error) else { return "error \(error)" }
    return String(cString: reason)
  }
}
