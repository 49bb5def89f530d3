import CLinux
import Dispatch
import Foundation
import RPCTransport

/// A TCP client without TLS, for what no TLS library would send. Its waiting happens on threads of
/// its own.
final class RawClient: Sendable {
  let descriptor: Int32
  private static let queue = DispatchQueue(label: "raw-clients", attributes: .concurrent)

  /// A socket that isn't connected yet.
  init() {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  }

  /// Connects to a port on 127.0.0.1.
  convenience init(port: UInt16) throws {
    self.init()
    try connect(port)
  }

  func connect(_ port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: address) {
      clinux_connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
    guard result == 0 else { throw SystemError("connect", clinux_errno()) }
    // Against a server that never closes: the test fails instead of hanging.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close(descriptor)
  }

  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  func send(_ text: String) {
    send(Array(text.utf8))
  }

  /// Closes with a reset.
  func reset() {
    clinux_reset_on_close(descriptor)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// What the server sends until it closes; nil if it doesn't within a minute.
  func readToEnd() async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      Self.queue.async { continuation.resume(returning: self.readNow()) }
    }
  }

  private func readNow() -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 || (count < 0 && clinux_errno() == ECONNRESET) { return bytes }
      guard count > 0 else { return nil }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

/// How many files this process has open.
func openDescriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// How many TCP sockets with this local port (IPv4) some process still has open: those that only
/// the kernel keeps, until their time is over, have no inode.
func ownedSockets(localPort: UInt16) throws -> Int {
  let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
  let port = ":" + String(localPort, radix: 16, uppercase: true).leftPadded(to: 4)
  return table.split(separator: "\n").dropFirst().count { line in
    let fields = line.split(separator: " ")
    return fields.count > 9 && fields[1].hasSuffix(port) && fields[9] != "0"
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - count)) + self
  }
}
