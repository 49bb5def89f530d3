/// What a client does to get a call through.
public enum CallPolicy: Sendable, Hashable {
  /// The call is sent once; again only if the server certainly never started it.
  case once

  /// A failed call is sent again.
  case retry(RetryPolicy)

  /// A call that isn't answered soon is sent again.
  case hedge(HedgingPolicy)
}

/// The policies of a client: for single methods, for services, and for all others.
public struct CallPolicies: Sendable, Hashable {
  /// For methods that neither of the others says anything about.
  public var fallback: CallPolicy

  /// By the service's full name: `onside.v1.ProductService`.
  public var services: [String: CallPolicy]

  /// By the method's path: `onside.v1.ProductService/ListProducts`. It counts more than the
  /// service's.
  public var methods: [String: CallPolicy]

  /// Makes policies; without arguments every call is sent once.
  public init(
    fallback: CallPolicy = .once, services: [String: CallPolicy] = [:],
    methods: [String: CallPolicy] = [:]
  ) {
    self.fallback = fallback
    self.services = services
    self.methods = methods
  }

  /// Whether every call is sent once.
  public var areTrivial: Bool { fallback == .once && services.isEmpty && methods.isEmpty }

  /// The policy of a method.
  public func policy(service: String, path: String) -> CallPolicy {
    methods[path] ?? services[service] ?? fallback
  }
}
