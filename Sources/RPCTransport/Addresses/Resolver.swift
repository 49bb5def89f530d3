import CLinux
import Dispatch
import Synchronization

/// Names into addresses, by the system's resolver, which blocks: so on queues of its own.
enum Resolver {
  typealias Failure = NameResolutionError

  /// A slow name server holds up one queue, not all look-ups.
  private static let queues = (0..<4).map { DispatchQueue(label: "resolver-\($0)") }
  private static let turn = Atomic(0)

  /// Calls `completion` with the addresses of an endpoint in the order to try them: at once for a
  /// literal or a path, on one of the resolver's queues otherwise.
  static func resolve(
    _ endpoint: Endpoint,
    _ completion: @escaping @Sendable (Result<[SocketAddress], Failure>) -> Void
  ) {
    if let address = immediate(endpoint) { return completion(.success([address])) }
    let turn = turn.wrappingAdd(1, ordering: .relaxed).newValue
    queues[Int(UInt(bitPattern: turn) % UInt(queues.count))].async {
      completion(Result { () throws(Failure) in try blocking(endpoint, passive: false) })
    }
  }

  /// The address of a literal or a path.
  static func immediate(_ endpoint: Endpoint) -> SocketAddress? {
    switch endpoint {
    case .unix(let path): .unix(path: path)
    case .host(let host, let port): SocketAddress(literal: host, port: port)
    }
  }

  /// Asks the system, and blocks until it answers. `passive`: for listening.
  static func blocking(_ endpoint: Endpoint, passive: Bool) throws(Failure) -> [SocketAddress] {
    if let address = immediate(endpoint) { return [address] }
    guard case .host(let host, let port) = endpoint else { return [] }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = passive ? AI_PASSIVE : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    defer { if list != nil { freeaddrinfo(list) } }
    guard code == 0 else { throw Failure(text: reason(code)) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = address(of: entry), !addresses.contains(address) {
        addresses.append(address)
      }
      next = entry.ai_next
    }
    guard !addresses.isEmpty else { throw Failure(text: "the name has no address") }
    return addresses
  }

  private static func address(of entry: addrinfo) -> SocketAddress? {
    guard let source = entry.ai_addr,
      Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
    else { return nil }
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: Int(entry.ai_addrlen)))
    }
    return SocketAddress(storage, size: entry.ai_addrlen)
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case EAI_NONAME: "no such host"
    case EAI_AGAIN: "the name server doesn't answer; try again later"
    case EAI_SYSTEM: SystemError.text(clinux_errno())
    default: String(cString: gai_strerror(code))
    }
  }
}
