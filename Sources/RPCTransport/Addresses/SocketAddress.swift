import CLinux

/// The address of one end of a connection: IPv4, IPv6 or a Unix socket's path.
public enum SocketAddress: Sendable, Hashable {
  /// Address in network order (the first byte is the most significant one) and port.
  case ipv4(address: UInt32, port: UInt16)
  /// Address in network order as two halves, port, and the scope of a link-local address.
  case ipv6(high: UInt64, low: UInt64, port: UInt16, scope: UInt32)
  /// The path; empty for the unnamed end of a Unix connection.
  case unix(path: String)

  /// The port; 0 for a Unix socket.
  public var port: UInt16 {
    switch self {
    case .ipv4(_, let port), .ipv6(_, _, let port, _): port
    case .unix: 0
    }
  }

  /// The address family, `AF_INET` and so on.
  var family: Int32 {
    switch self {
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    case .unix: AF_UNIX
    }
  }

  /// Whether it is TCP.
  var isTCP: Bool { family != AF_UNIX }

  /// The host part as text without brackets: "127.0.0.1", "::1"; a Unix socket's path.
  public var host: String {
    switch self {
    case .ipv4(let address, _):
      withUnsafeBytes(of: address.bigEndian) { Self.text($0, AF_INET) }
    case .ipv6(let high, let low, _, let scope):
      withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Self.text($0, AF_INET6) }
        + (scope == 0 ? "" : "%\(scope)")
    case .unix(let path): path
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer, _ family: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      guard let base = buffer.baseAddress,
        inet_ntop(family, bytes.baseAddress, base, socklen_t(INET6_ADDRSTRLEN)) != nil
      else { return "?" }
      return String(cString: base)
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// "127.0.0.1:443", "[::1]:443", "unix:/run/onside.sock".
  public var description: String {
    switch self {
    case .ipv4: "\(host):\(port)"
    case .ipv6: "[\(host)]:\(port)"
    case .unix(let path): path.isEmpty ? "unix" : "unix:\(path)"
    }
  }
}

extension SocketAddress {
  /// The system's form of an address. Nil if it is of another family.
  init?(_ storage: sockaddr_storage, size: socklen_t) {
    let parsed = withUnsafeBytes(of: storage) { bytes -> SocketAddress? in
      switch Int32(storage.ss_family) {
      case AF_INET:
        let address = bytes.loadUnaligned(as: sockaddr_in.self)
        return .ipv4(
          address: UInt32(bigEndian: address.sin_addr.s_addr),
          port: UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let address = bytes.loadUnaligned(as: sockaddr_in6.self)
        let halves = withUnsafeBytes(of: address.sin6_addr) {
          $0.loadUnaligned(as: (UInt64, UInt64).self)
        }
        return .ipv6(
          high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1),
          port: UInt16(bigEndian: address.sin6_port), scope: address.sin6_scope_id)
      case AF_UNIX:
        let path = bytes.prefix(Int(size)).dropFirst(MemoryLayout<sa_family_t>.size)
        return .unix(path: String(decoding: path.prefix { $0 != 0 }, as: UTF8.self))
      default:
        return nil
      }
    }
    guard let parsed else { return nil }
    self = parsed
  }

  /// The longest path of a Unix socket, in bytes.
  static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Calls `body` with the system's form of the address.
  func withSystemAddress<R>(_ body: (UnsafeRawPointer, socklen_t) -> R) -> R {
    switch self {
    case .ipv4(let address, let port):
      var system = sockaddr_in()
      system.sin_family = sa_family_t(AF_INET)
      system.sin_port = port.bigEndian
      system.sin_addr.s_addr = address.bigEndian
      return withUnsafePointer(to: system) {
        body(UnsafeRawPointer($0), socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    case .ipv6(let high, let low, let port, let scope):
      var system = sockaddr_in6()
      system.sin6_family = sa_family_t(AF_INET6)
      system.sin6_port = port.bigEndian
      system.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &system.sin6_addr) {
        $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
        $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      return withUnsafePointer(to: system) {
        body(UnsafeRawPointer($0), socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    case .unix(let path):
      var system = sockaddr_un()
      system.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &system.sun_path) {
        $0.copyBytes(from: path.utf8.prefix(Self.maximumPathBytes))
      }
      return withUnsafePointer(to: system) {
        body(UnsafeRawPointer($0), socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
