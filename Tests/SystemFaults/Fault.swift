public import CSystemFaults
import Glibc

/// One kind of failure: every call of that name fails once with it, each in an exchange of its own.
public struct Fault: Sendable {
  /// What fails.
  public let call: csystem_call
  /// The error number, or `CSYSTEM_SHORT`.
  public let error: Int32
  /// The exchange succeeds all the same: nothing is lost by it.
  public let isHarmless: Bool
  /// For people: the call and the error.
  public let name: String

  private init(_ call: csystem_call, _ name: String, _ error: (Int32, String), harmless: Bool) {
    self.call = call
    self.error = error.0
    isHarmless = harmless
    self.name = "\(name) \(error.1)"
  }

  private static let interrupted = (EINTR, "EINTR")
  private static let again = (EAGAIN, "EAGAIN")
  private static let reset = (ECONNRESET, "ECONNRESET")
  private static let pipe = (EPIPE, "EPIPE")
  private static let noDescriptors = (EMFILE, "EMFILE")
  private static let noMemory = (ENOMEM, "ENOMEM")
  private static let short = (Int32(CSYSTEM_SHORT), "short")
  private static let tls = (Int32(0), "failure")

  /// These fail while loops are made, before there is any connection.
  public static let ofLoops: [Fault] = [
    Fault(CSYSTEM_EPOLL_CREATE, "epoll_create1", noDescriptors, harmless: false),
    Fault(CSYSTEM_EVENTFD, "eventfd", noDescriptors, harmless: false),
  ]

  /// These fail in an exchange.
  public static let all: [Fault] = [
    Fault(CSYSTEM_READ, "read", interrupted, harmless: true),
    Fault(CSYSTEM_READ, "read", again, harmless: true),
    Fault(CSYSTEM_READ, "read", short, harmless: true),
    Fault(CSYSTEM_READ, "read", reset, harmless: false),
    Fault(CSYSTEM_WRITE, "write", interrupted, harmless: true),
    Fault(CSYSTEM_WRITE, "write", again, harmless: true),
    Fault(CSYSTEM_WRITE, "write", short, harmless: true),
    Fault(CSYSTEM_WRITE, "write", reset, harmless: false),
    Fault(CSYSTEM_WRITE, "write", pipe, harmless: false),
    Fault(CSYSTEM_ACCEPT, "accept", interrupted, harmless: true),
    Fault(CSYSTEM_ACCEPT, "accept", again, harmless: true),
    Fault(CSYSTEM_ACCEPT, "accept", (ECONNABORTED, "ECONNABORTED"), harmless: true),
    Fault(CSYSTEM_ACCEPT, "accept", noDescriptors, harmless: false),
    Fault(CSYSTEM_SOCKET, "socket", noDescriptors, harmless: false),
    Fault(CSYSTEM_CONNECT, "connect", interrupted, harmless: true),
    Fault(CSYSTEM_CONNECT, "connect", reset, harmless: false),
    Fault(CSYSTEM_SHUTDOWN, "shutdown", (ENOTCONN, "ENOTCONN"), harmless: false),
    Fault(CSYSTEM_RECV, "recv", interrupted, harmless: true),
    Fault(CSYSTEM_RECV, "recv", again, harmless: true),
    Fault(CSYSTEM_RECV, "recv", reset, harmless: true),
    Fault(CSYSTEM_EPOLL_WAIT, "epoll_wait", interrupted, harmless: true),
    Fault(CSYSTEM_EPOLL_ADD, "epoll_ctl", noMemory, harmless: false),
    Fault(CSYSTEM_SSL_NEW, "SSL_new", tls, harmless: false),
    Fault(CSYSTEM_SSL_SET_FD, "SSL_set_fd", tls, harmless: false),
    Fault(CSYSTEM_SSL_HANDSHAKE, "SSL_do_handshake", tls, harmless: false),
    Fault(CSYSTEM_SSL_READ, "SSL_read", tls, harmless: false),
    Fault(CSYSTEM_SSL_WRITE, "SSL_write", tls, harmless: false),
    Fault(CSYSTEM_SSL_SHUTDOWN, "SSL_shutdown", tls, harmless: false),
  ]
}
