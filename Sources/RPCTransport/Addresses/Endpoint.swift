import CLinux

/// Where a server is to be found or is to listen: a host and a port, or a Unix socket's path.
public enum Endpoint: Sendable, Hashable {
  /// A name or an IP literal (without brackets), and a port.
  case host(String, port: UInt16)
  /// The path of a Unix socket.
  case unix(path: String)

  /// Reads `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`.
  ///
  /// - Throws: ``AddressError``, which names the text and what is wrong with it.
  public init(_ text: String) throws(AddressError) {
    if text.hasPrefix("unix:") {
      self = try Self.parsePath(text)
      return
    }
    let (host, port) = try Self.split(text)
    self = .host(host, port: try Self.parsePort(port, of: text))
  }

  /// The host, or the path.
  public var host: String {
    switch self {
    case .host(let host, _): host
    case .unix(let path): path
    }
  }

  /// The port; nil: a Unix socket has none.
  public var port: UInt16? {
    if case .host(_, let port) = self { port } else { nil }
  }

  private static func parsePath(_ text: String) throws(AddressError) -> Endpoint {
    let path = String(text.dropFirst("unix:".count))
    if path.isEmpty || path.utf8.contains(0) {
      throw AddressError(text, "the path of the Unix socket is missing")
    }
    if path.utf8.count > SocketAddress.maximumPathBytes {
      throw AddressError(
        text,
        "the path has \(path.utf8.count) bytes and a Unix socket's may have "
          + "\(SocketAddress.maximumPathBytes); choose a shorter one")
    }
    return .unix(path: path)
  }

  private static func split(_ text: String) throws(AddressError) -> (String, Substring) {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else {
        throw AddressError(text, "the closing bracket is missing; write [ADDRESS]:PORT")
      }
      let host = String(text[text.index(after: text.startIndex)..<end])
      guard SocketAddress(literal: host, port: 0)?.family == AF_INET6 else {
        throw AddressError(text, "'\(host)' is no IPv6 address")
      }
      let rest = text[text.index(after: end)...]
      guard rest.first == ":" else {
        throw AddressError(text, "the port is missing; write [\(host)]:PORT")
      }
      return (host, rest.dropFirst())
    }
    guard let colon = text.lastIndex(of: ":") else {
      throw AddressError(text, "the port is missing; write HOST:PORT")
    }
    let host = String(text[..<colon])
    if host.contains(":") {
      throw AddressError(text, "write an IPv6 address in brackets, as in [::1]:443")
    }
    if host.isEmpty || host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      throw AddressError(text, "the host is missing or has a space or control character")
    }
    return (host, text[text.index(after: colon)...])
  }

  private static func parsePort(
    _ port: Substring, of text: String
  ) throws(AddressError) -> UInt16 {
    guard !port.isEmpty, port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = UInt16(port)
    else { throw AddressError(text, "'\(port)' is no port: give a number from 0 to 65535") }
    return number
  }
}

extension Endpoint: CustomStringConvertible {
  /// What ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}

/// An address that can't be read.
public struct AddressError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text as it was given.
  public var text: String
  /// What is wrong with it and what to write.
  public var problem: String

  init(_ text: String, _ problem: String) {
    self.text = text
    self.problem = problem
  }

  /// "bad address 'localhost': the port is missing; write HOST:PORT".
  public var description: String { "bad address '\(text)': \(problem)" }
}

extension SocketAddress {
  /// An IP literal ("127.0.0.1", "::1", "fe80::1%eth0") and a port; nil if it is none.
  public init?(literal: String, port: UInt16) {
    var v4 = in_addr()
    if inet_pton(AF_INET, literal, &v4) == 1 {
      self = .ipv4(address: UInt32(bigEndian: v4.s_addr), port: port)
      return
    }
    guard literal.contains(":") else { return nil }
    let parts = literal.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, String(parts[0]), &v6) == 1 else { return nil }
    var scope: UInt32 = 0
    if parts.count == 2 {
      scope = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
      guard scope != 0 else { return nil }
    }
    let halves = withUnsafeBytes(of: v6) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    self = .ipv6(
      high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1), port: port,
      scope: scope)
  }
}
