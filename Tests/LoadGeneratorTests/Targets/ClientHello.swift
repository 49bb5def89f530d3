import Dispatch
import Foundation
import Glibc

/// What one client says first, to a server that says nothing and hangs up.
enum ClientHello {
  /// The server name in it (SNI); nil: there is none.
  static func serverName(in bytes: [UInt8]) -> String? {
    var place = 5 + 4 + 2 + 32
    func number(_ size: Int) -> Int {
      guard place + size <= bytes.count else { return 0 }
      defer { place += size }
      return bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
    }
    place += number(1)  // session id
    place += number(2)  // cipher suites
    place += number(1)  // compression methods
    _ = number(2)
    while place + 4 <= bytes.count {
      let (type, length) = (number(2), number(2))
      if type == 0 {
        let name = bytes[min(place + 5, bytes.count)..<min(place + length, bytes.count)]
        return String(decoding: name, as: UTF8.self)
      }
      place += length
    }
    return nil
  }

  /// Listens on a free port of 127.0.0.1 and gives the port to `connect`; what comes on the first
  /// connection is what this returns.
  static func taken(
    from connect: @escaping @Sendable (UInt16) async -> Void
  ) async throws -> [UInt8] {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { system -> UInt16? in
        guard bind(listener, system, size) == 0, listen(listener, 8) == 0,
          getsockname(listener, system, &size) == 0
        else { return nil }
        return UInt16(bigEndian: pointer.pointee.sin_port)
      }
    }
    guard let port else { throw ProgramFailed(text: "no port: \(errno)") }
    async let client: Void = connect(port)
    let bytes = await first(on: listener)
    await client
    return bytes
  }

  private static func first(on listener: Int32) async -> [UInt8] {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "client-hello").async {
        let peer = accept(listener, nil, nil)
        var block = [UInt8](repeating: 0, count: 4096)
        let count = read(peer, &block, block.count)
        close(peer)
        continuation.resume(returning: Array(block[..<max(0, count)]))
      }
    }
  }
}
