import Glibc

/// A TCP socket that listens.
struct ListeningPort {
  let descriptor: Int32

  /// `127.0.0.1:9095`, `[::1]:9095`.
  let address: String

  init(host: String, port: UInt16) throws(MetricsEndpointError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let problem = getaddrinfo(host, String(port), &hints, &found)
    guard problem == 0, let first = found else {
      throw MetricsEndpointError("\(host): \(String(cString: gai_strerror(problem)))")
    }
    defer { freeaddrinfo(found) }
    let family = first.pointee.ai_family
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw MetricsEndpointError("socket", errno) }
    do throws(MetricsEndpointError) {
      // A restart needn't wait until old connections' TIME_WAIT is over.
      var on: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
        listen(descriptor, 16) == 0
      else { throw MetricsEndpointError("\(host):\(port)", errno) }
      address = try ListeningPort.name(of: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The address as people write it.
  private static func name(of descriptor: Int32) throws(MetricsEndpointError) -> String {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: 16)
    let status = withUnsafeMutableBytes(of: &storage) { bytes -> Int32 in
      guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        getsockname(descriptor, address, &size) == 0
      else { return -1 }
      return getnameinfo(
        address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
        NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard status == 0 else { throw MetricsEndpointError("getsockname", errno) }
    func text(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let name = text(host)
    return (name.contains(":") ? "[\(name)]" : name) + ":" + text(port)
  }
}
