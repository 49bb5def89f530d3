import CLinux

/// A socket that listens, not yet on a loop.
package struct BoundSocket: Sendable {
  package let descriptor: Int32
  package let address: SocketAddress

  /// Listens on all addresses of the endpoint: one for a literal or a path; a name may have more.
  package static func bind(
    _ endpoint: Endpoint, _ options: ListenerOptions
  ) throws(ListenError) -> [BoundSocket] {
    let addresses: [SocketAddress]
    do {
      addresses = try Resolver.blocking(endpoint, passive: true)
    } catch {
      throw ListenError(.noSuchAddress, endpoint, "\(error.text) ('\(endpoint.host)')")
    }
    var sockets: [BoundSocket] = []
    var failure: SystemError?
    for address in addresses {
      do throws(SystemError) {
        sockets.append(try bind(address.with(portOf: sockets.first), options))
      } catch {
        // `localhost` often has an IPv6 address on machines without IPv6.
        if error.code != EADDRNOTAVAIL && error.code != EAFNOSUPPORT {
          sockets.forEach { close($0.descriptor) }
          throw ListenError(endpoint, error)
        }
        failure = error
      }
    }
    if sockets.isEmpty, let failure { throw ListenError(endpoint, failure) }
    return sockets
  }

  private static func bind(
    _ address: SocketAddress, _ options: ListenerOptions
  ) throws(SystemError) -> BoundSocket {
    if case .unix(let path) = address { try removeStale(path) }
    let descriptor = clinux_stream_socket(address.family)
    guard descriptor >= 0 else { throw SystemError("socket", clinux_errno()) }
    do throws(SystemError) {
      return try listen(descriptor, address, options)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func listen(
    _ descriptor: Int32, _ address: SocketAddress, _ options: ListenerOptions
  ) throws(SystemError) -> BoundSocket {
    if address.isTCP {
      // A restart must not wait until the old connections' TIME_WAIT is over.
      clinux_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
      // Its connections begin with its options: two system calls less for each.
      clinux_prepare_stream(descriptor, ChannelLimits(options.channel).userTimeout)
    }
    if address.family == AF_INET6 {
      clinux_set_option(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, options.isIPv6Only ? 1 : 0)
    }
    guard address.withSystemAddress({ clinux_bind(descriptor, $0, $1) }) == 0 else {
      throw SystemError("bind", clinux_errno())
    }
    guard CLinux.listen(descriptor, options.backlog) == 0 else {
      throw SystemError("listen", clinux_errno())
    }
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    guard clinux_local_address(descriptor, &storage, &size) == 0,
      let local = SocketAddress(storage, size: size)
    else { throw SystemError("getsockname", clinux_errno()) }
    return BoundSocket(descriptor: descriptor, address: local)
  }

  /// Removes a Unix socket that nobody listens on any more. Anything else at the path stays.
  private static func removeStale(_ path: String) throws(SystemError) {
    let mode = clinux_file_mode(path)
    guard mode >= 0 else { return }
    guard clinux_is_socket(mode) else { throw SystemError("bind", EEXIST) }
    let probe = clinux_stream_socket(AF_UNIX)
    guard probe >= 0 else { throw SystemError("socket", clinux_errno()) }
    defer { close(probe) }
    let result = SocketAddress.unix(path: path).withSystemAddress {
      clinux_connect(probe, $0, $1)
    }
    guard result != 0, clinux_errno() == ECONNREFUSED else {
      throw SystemError("bind", EADDRINUSE)
    }
    unlink(path)
  }
}

extension SocketAddress {
  /// This address with the port that another socket got.
  fileprivate func with(portOf other: BoundSocket?) -> SocketAddress {
    guard let other, port == 0 else { return self }
    switch self {
    case .ipv4(let address, _): return .ipv4(address: address, port: other.address.port)
    case .ipv6(let high, let low, _, let scope):
      return .ipv6(high: high, low: low, port: other.address.port, scope: scope)
    case .unix: return self
    }
  }
}
