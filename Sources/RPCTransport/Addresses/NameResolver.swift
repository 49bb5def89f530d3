/// Looks up the addresses of endpoints.
public protocol NameResolver: Sendable {
  /// Looks an endpoint's name up, without blocking the caller.
  ///
  /// - Parameters:
  ///   - endpoint: A host's name and a port; literals and paths aren't asked for.
  ///   - completion: Called once, on any thread, with the addresses in the order to try them.
  func resolve(
    _ endpoint: Endpoint,
    _ completion: @escaping @Sendable (Result<[SocketAddress], NameResolutionError>) -> Void)
}

/// Why a name has no addresses.
public struct NameResolutionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What happened, in one line: "no such host".
  public var text: String

  /// An error with that text.
  public init(text: String) { self.text = text }

  /// The text.
  public var description: String { text }
}

/// The system's resolver: DNS, the hosts file, and what else it is set up for.
public struct SystemResolver: NameResolver {
  /// The resolver.
  public init() {}

  /// Asks the system on one of a few queues: it blocks until it knows.
  public func resolve(
    _ endpoint: Endpoint,
    _ completion: @escaping @Sendable (Result<[SocketAddress], NameResolutionError>) -> Void
  ) {
    Resolver.resolve(endpoint, completion)
  }
}

extension Endpoint {
  /// The address, when it needs no look-up: an IP literal's or a path's.
  public var literalAddress: SocketAddress? { Resolver.immediate(self) }
}
