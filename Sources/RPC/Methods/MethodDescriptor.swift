package import RPCCore

/// Which sides of a call send one message, and which send many.
public enum CallShape: Sendable, Hashable {
  /// One request, one response.
  case unary

  /// Many requests, one response.
  case clientStreaming

  /// One request, many responses.
  case serverStreaming

  /// Many requests and many responses, independent of each other.
  case bidirectional

  /// True where the caller sends a stream.
  public var hasManyRequests: Bool { self == .clientStreaming || self == .bidirectional }

  /// True where the server sends a stream. Such a call has no deadline unless its caller sets one.
  public var hasManyResponses: Bool { self == .serverStreaming || self == .bidirectional }
}

/// What happens when a call runs twice; `idempotency_level` of the method in its `.proto` file.
public enum Idempotency: Sendable, Hashable {
  /// Nothing is promised: the call is never repeated unless the server never started it.
  case unknown

  /// The same as running once.
  case idempotent

  /// Nothing is changed.
  case noSideEffects

  /// True where a call may be repeated although the server may have run it.
  public var allowsRepetition: Bool { self != .unknown }
}

/// Names a method and says what its `.proto` file says about it.
///
/// Generated code has one as a static constant for each method; two with the same path are the
/// same method.
public struct MethodDescriptor: Sendable {
  /// The full name of the service: `onside.v1.LoginService`.
  public let service: String

  /// The name of the method: `CreateSession`.
  public let method: String

  /// Service and method with a slash between, as it is on the wire:
  /// `onside.v1.LoginService/CreateSession`.
  public let path: String

  /// Which sides send one message, and which send many.
  public let shape: CallShape

  /// What happens when a call runs twice.
  public let idempotency: Idempotency

  /// True: the messages carry secrets. They are never compressed, since the size of compressed
  /// text tells about the secrets in it, and never written to a log.
  public let carriesCredentials: Bool

  /// The path as calls carry it.
  package let wirePath: MethodPath

  /// Describes a method.
  ///
  /// - Parameters:
  ///   - service: The full name of the service.
  ///   - method: The name of the method within its service.
  ///   - shape: Which sides send one message, and which send many.
  ///   - idempotency: What happens when a call runs twice.
  ///   - carriesCredentials: True when the messages carry secrets.
  public init(
    service: String, method: String, shape: CallShape, idempotency: Idempotency = .unknown,
    carriesCredentials: Bool = false
  ) {
    self.service = service
    self.method = method
    self.path = service + "/" + method
    wirePath = MethodPath(path)
    self.shape = shape
    self.idempotency = idempotency
    self.carriesCredentials = carriesCredentials
  }
}

extension MethodDescriptor: Hashable {
  public static func == (left: MethodDescriptor, right: MethodDescriptor) -> Bool {
    left.path == right.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
  }
}

extension MethodDescriptor: CustomStringConvertible {
  public var description: String { path }
}
