/// Why bytes could not be decoded as a protobuf message.
///
/// Every error is the sender's: nothing in this module traps on what it reads.
public struct WireError: Error, Hashable, Sendable {
  /// What was wrong.
  public let code: Code

  /// Where it was noticed, in bytes from the start of the buffer that the reader was given.
  public let offset: Int

  /// Makes an error.
  @inlinable
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension WireError {
  /// The kinds of errors. The set is open: compare with the constants and keep a default.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A number that never changes its meaning.
    public let rawValue: UInt8

    /// The code with this number, also when it isn't among the constants.
    @inlinable
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }
  }
}

extension WireError.Code {
  /// A value goes on after the end of the message, or of the sub-message that it is in.
  @inlinable public static var truncated: Self { Self(rawValue: 1) }

  /// A varint of more than 10 bytes, or one above 2⁶⁴ − 1.
  @inlinable public static var malformedVarint: Self { Self(rawValue: 2) }

  /// A field number of 0 or above 2²⁹ − 1.
  @inlinable public static var invalidFieldNumber: Self { Self(rawValue: 3) }

  /// Wire type 6 or 7.
  @inlinable public static var invalidWireType: Self { Self(rawValue: 4) }

  /// The end of a group that was never started, or a group that never ends.
  @inlinable public static var unmatchedGroup: Self { Self(rawValue: 5) }

  /// A `string` field that isn't UTF-8.
  @inlinable public static var invalidUTF8: Self { Self(rawValue: 6) }

  /// More sub-messages or groups in each other than `DecodingLimits.depth`.
  @inlinable public static var tooDeep: Self { Self(rawValue: 7) }

  /// The decoded form would take more memory than `DecodingLimits` allows.
  @inlinable public static var tooLarge: Self { Self(rawValue: 8) }
}

extension WireError: CustomStringConvertible {
  /// One line for people: what is wrong and where.
  public var description: String {
    "\(code) at byte \(offset)"
  }
}

extension WireError.Code: CustomStringConvertible {
  /// A few words for people.
  public var description: String {
    switch self {
    case .truncated: "a value ends after its message"
    case .malformedVarint: "a varint has more than 64 bits"
    case .invalidFieldNumber: "a field number is not within 1...536870911"
    case .invalidWireType: "a wire type is 6 or 7"
    case .unmatchedGroup: "a group has no start or no end"
    case .invalidUTF8: "a string is not UTF-8"
    case .tooDeep: "messages are nested deeper than the limit"
    case .tooLarge: "the message takes more memory than its limit when it is decoded"
    default: "protobuf error \(rawValue)"
    }
  }
}
