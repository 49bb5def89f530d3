public import RPCTransport

/// One place that connections of a load go to.
public struct LoadTarget: Sendable, Hashable, CustomStringConvertible {
  /// What was asked for: its host is whose certificate is expected.
  public var endpoint: Endpoint

  /// The one of its addresses that is meant; nil: whichever each connection finds.
  public var address: SocketAddress?

  /// A target.
  public init(_ endpoint: Endpoint, at address: SocketAddress? = nil) {
    self.endpoint = endpoint
    self.address = address
  }

  /// "shop.example:443 at 192.0.2.1:443", and the address alone where it is what was asked for.
  public var description: String {
    guard let address, endpoint.literalAddress == nil else { return "\(endpoint)" }
    return "\(endpoint) at \(address)"
  }
}

/// The targets as somebody wrote them.
public struct TargetList: Sendable, Equatable {
  /// How many may be named.
  public static let mostEndpoints = 64

  /// How many addresses all of them may have together.
  public static let mostAddresses = 256

  /// In the order in which they were given, at least one.
  public let endpoints: [Endpoint]

  /// Reads `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`; each text may hold several behind commas.
  ///
  /// - Throws: ``SetupError`` that names what can't be read, or how many there may be.
  public init(_ texts: [String]) throws(SetupError) {
    var endpoints: [Endpoint] = []
    for text in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      do throws(AddressError) {
        let endpoint = try Endpoint(String(text))
        if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
      } catch {
        throw SetupError(.address, "--target: \(error)")
      }
    }
    guard (1...TargetList.mostEndpoints).contains(endpoints.count) else {
      throw SetupError(
        .address,
        "--target: \(endpoints.count) targets were given; give from 1 to"
          + " \(TargetList.mostEndpoints)")
    }
    self.endpoints = endpoints
  }

  /// Looks the names up: one target for each address, in the order of the endpoints.
  ///
  /// - Throws: ``SetupError`` if a name has no address, or there are too many.
  public func resolve(
    with resolver: any NameResolver = SystemResolver()
  ) async throws(SetupError) -> [LoadTarget] {
    var targets: [LoadTarget] = []
    for endpoint in endpoints {
      if let address = endpoint.literalAddress {
        targets.append(LoadTarget(endpoint, at: address))
        continue
      }
      let result = await withCheckedContinuation { continuation in
        resolver.resolve(endpoint) { continuation.resume(returning: $0) }
      }
      do throws(NameResolutionError) {
        targets += try result.get().map { LoadTarget(endpoint, at: $0) }
      } catch {
        throw SetupError(.address, "--target \(endpoint): \(error) ('\(endpoint.host)')")
      }
    }
    guard targets.count <= TargetList.mostAddresses else {
      throw SetupError(
        .address,
        "--target: the targets have \(targets.count) addresses and may have"
          + " \(TargetList.mostAddresses); name fewer of them")
    }
    return targets
  }
}

/// Answers each look-up with the one address that a connection is to go to.
struct PinnedAddress: NameResolver {
  let address: SocketAddress

  func resolve(
    _ endpoint: Endpoint,
    _ completion: @escaping @Sendable (Result<[SocketAddress], NameResolutionError>) -> Void
  ) {
    completion(.success([address]))
  }
}
