/// How a call ended: gRPC's seventeen codes, and any other number a newer peer may send.
@frozen
public struct StatusCode: RawRepresentable, Sendable, Hashable {
  /// The number on the wire.
  public var rawValue: UInt32

  /// The code with that number.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The call succeeded.
  @inlinable public static var ok: StatusCode { StatusCode(rawValue: 0) }
  /// The caller cancelled the call.
  @inlinable public static var cancelled: StatusCode { StatusCode(rawValue: 1) }
  /// An error without a better code.
  @inlinable public static var unknown: StatusCode { StatusCode(rawValue: 2) }
  /// The request is wrong whatever the state of the system.
  @inlinable public static var invalidArgument: StatusCode { StatusCode(rawValue: 3) }
  /// The time for the call ran out; it may have taken effect.
  @inlinable public static var deadlineExceeded: StatusCode { StatusCode(rawValue: 4) }
  /// The entity doesn't exist.
  @inlinable public static var notFound: StatusCode { StatusCode(rawValue: 5) }
  /// The entity exists already.
  @inlinable public static var alreadyExists: StatusCode { StatusCode(rawValue: 6) }
  /// The caller is known and may not do this.
  @inlinable public static var permissionDenied: StatusCode { StatusCode(rawValue: 7) }
  /// A quota, a size limit or a queue is full.
  @inlinable public static var resourceExhausted: StatusCode { StatusCode(rawValue: 8) }
  /// The system isn't in the state that the call needs.
  @inlinable public static var failedPrecondition: StatusCode { StatusCode(rawValue: 9) }
  /// The call lost against a concurrent one; start the sequence again.
  @inlinable public static var aborted: StatusCode { StatusCode(rawValue: 10) }
  /// Past the end of a valid range.
  @inlinable public static var outOfRange: StatusCode { StatusCode(rawValue: 11) }
  /// The method doesn't exist here.
  @inlinable public static var unimplemented: StatusCode { StatusCode(rawValue: 12) }
  /// An invariant of the system is broken.
  @inlinable public static var `internal`: StatusCode { StatusCode(rawValue: 13) }
  /// The service can't be reached now; a retry may help.
  @inlinable public static var unavailable: StatusCode { StatusCode(rawValue: 14) }
  /// Data was lost or is damaged for good.
  @inlinable public static var dataLoss: StatusCode { StatusCode(rawValue: 15) }
  /// The call needs valid credentials.
  @inlinable public static var unauthenticated: StatusCode { StatusCode(rawValue: 16) }

  /// The seventeen codes in the order of their numbers.
  public static let defined: [StatusCode] = (0...16).map { StatusCode(rawValue: $0) }
}

extension StatusCode: CustomStringConvertible {
  /// The code's name in upper snake case, as gRPC writes it, or `CODE_n`.
  public var description: String {
    let names = [
      "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
      "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
      "UNAUTHENTICATED",
    ]
    return rawValue < 17 ? names[Int(rawValue)] : "CODE_\(rawValue)"
  }
}
