import OnsideDomain

/// Why a call of `ListProducts` is refused as a whole; its status is INVALID_ARGUMENT.
public enum ListingError: Error, Hashable, Sendable {
  /// The request isn't a protobuf message.
  case malformed(String)

  /// More product identifiers than one call may ask for.
  case tooManyIdentifiers(count: Int, limit: Int)

  /// A product identifier that no product can have.
  case invalidIdentifier(InvalidIdentifier)

  /// The reason on the wire; nil for a malformed request, which has none.
  public var reason: RefusalReason? {
    switch self {
    case .malformed: nil
    case .tooManyIdentifiers: .tooManyProductIdentifiers
    case .invalidIdentifier: .productIdentifierInvalid
    }
  }
}

extension ListingError: CustomStringConvertible {
  /// What is wrong, with the value and the limit, on one line.
  public var description: String {
    switch self {
    case .malformed(let reason): "the request can't be read: \(reason)"
    case .tooManyIdentifiers(let count, let limit):
      "the call asks for \(count) product identifiers, the limit is \(limit): ask in several calls"
    case .invalidIdentifier(let invalid): invalid.description
    }
  }
}
