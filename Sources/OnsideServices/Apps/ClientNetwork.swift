import Glibc
import RPC

/// Where a call comes from, as limits count it: an IPv4 address, or the first 64 bits of an IPv6
/// address, of which a single host has all the rest.
struct ClientNetwork: Hashable, Sendable {
  /// `192.0.2.1`, `[2001:db8::/64]`; for others, such as Unix sockets, the peer's address as it is.
  let name: String

  /// The network of a peer's address, whose port doesn't count.
  init(_ peer: PeerInfo) {
    self.init(address: peer.address)
  }

  /// The network of `127.0.0.1:40512`, `[::1]:40512`, a socket's path, or any other text.
  init(address: String) {
    guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")) else {
      name = address
      return
    }
    let host = address[..<colon]
    guard host.hasPrefix("["), host.hasSuffix("]") else {
      name = String(host)
      return
    }
    name = Self.network(ofVersion6: String(host.dropFirst().dropLast())) ?? String(host)
  }

  private static func network(ofVersion6 text: String) -> String? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: address) { Array($0) }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      // An IPv4 peer of a socket that takes both.
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    var network = in6_addr()
    withUnsafeMutableBytes(of: &network) { $0.copyBytes(from: bytes[..<8]) }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &network, &buffer, socklen_t(buffer.count)) != nil else {
      return nil
    }
    let characters = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "[\(String(decoding: characters, as: UTF8.self))/64]"
  }
}
