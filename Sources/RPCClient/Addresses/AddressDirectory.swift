import RPC
import RPCCore
import RPCTransport
import Synchronization

/// One address of one endpoint: what a connection is made to. The endpoint says whose certificate
/// is expected.
struct Target: Hashable, Sendable {
  let endpoint: Endpoint
  let address: SocketAddress
}

/// The addresses of a client's endpoints, looked up once for all its event loops.
final class AddressDirectory: Sendable {
  typealias Outcome = Result<[Target], RPCError>

  fileprivate struct State {
    var known: [Target]?
    var knownSince = MonotonicInstant(nanoseconds: .min)
    var waiting: [@Sendable (Outcome) -> Void] = []
    /// Endpoints whose names are still being looked up.
    var left = 0
    var found: [Int: [Target]] = [:]
    var failure: RPCError?
  }

  private let endpoints: [Endpoint]
  private let resolver: any NameResolver
  private let state = Mutex(State())

  /// The addresses, when none has to be looked up.
  let literals: [Target]?

  init(_ endpoints: [Endpoint], _ resolver: any NameResolver) {
    self.endpoints = endpoints
    self.resolver = resolver
    let literals = endpoints.compactMap { endpoint in
      endpoint.literalAddress.map { Target(endpoint: endpoint, address: $0) }
    }
    self.literals = literals.count == endpoints.count ? literals : nil
  }

  /// Looks the endpoints up, unless that was done since `instant` or is being done.
  ///
  /// - Parameter completion: Called once, on any thread, perhaps within this call. It fails only
  ///   when not one of the names has an address.
  func lookUp(
    notBefore instant: MonotonicInstant, _ completion: @escaping @Sendable (Outcome) -> Void
  ) {
    if let literals { return completion(.success(literals)) }
    let (known, begins) = state.withLock { state -> ([Target]?, Bool) in
      if let known = state.known, state.knownSince >= instant { return (known, false) }
      state.waiting.append(completion)
      guard state.left == 0 else { return (nil, false) }
      state.left = endpoints.count
      return (nil, true)
    }
    if let known { return completion(.success(known)) }
    guard begins else { return }
    for (index, endpoint) in endpoints.enumerated() { lookUp(endpoint, index) }
  }

  private func lookUp(_ endpoint: Endpoint, _ index: Int) {
    if let address = endpoint.literalAddress { return found(index, .success([address])) }
    resolver.resolve(endpoint) { self.found(index, $0) }
  }

  /// One endpoint's addresses; the last one tells those who wait.
  private func found(
    _ index: Int, _ result: Result<[SocketAddress], NameResolutionError>
  ) {
    let endpoint = endpoints[index]
    let (waiting, outcome) = state.withLock { state -> ([@Sendable (Outcome) -> Void], Outcome) in
      switch result {
      case .success(let addresses):
        state.found[index] = addresses.map { Target(endpoint: endpoint, address: $0) }
      case .failure(let error):
        state.failure = RPCError(
          ConnectError(.resolve, .unknownHost, endpoint, "\(error) ('\(endpoint.host)')"))
      }
      state.left -= 1
      guard state.left == 0 else { return ([], .success([])) }
      return (state.takeWaiting(), state.finish(endpoints.count))
    }
    for completion in waiting { completion(outcome) }
  }
}

extension AddressDirectory.State {
  fileprivate mutating func takeWaiting() -> [@Sendable (AddressDirectory.Outcome) -> Void] {
    defer { waiting = [] }
    return waiting
  }

  /// Puts the endpoints' addresses together, in the order of the endpoints.
  fileprivate mutating func finish(_ count: Int) -> AddressDirectory.Outcome {
    defer {
      found = [:]
      failure = nil
    }
    let targets = (0..<count).flatMap { found[$0] ?? [] }
    if targets.isEmpty, let failure { return .failure(failure) }
    known = targets
    knownSince = .now
    return .success(targets)
  }
}
