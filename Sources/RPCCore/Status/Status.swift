/// The end of a call: a code, a text for people, details for programs and trailing metadata.
public struct Status: Sendable, Hashable {
  /// How the call ended.
  public var code: StatusCode
  /// A text for people; any Unicode. On the wire it is cut to 8 KiB at a scalar.
  public var message: String
  /// Typed messages for programs.
  public var details: [StatusDetail]
  /// Metadata that the server sends with the end.
  public var trailers: Metadata
  /// What the server says, with an error, about sending the call again.
  public var pushback: RetryPushback?

  /// The longest `message` on the wire, in UTF-8 bytes.
  public static let maximumMessageBytes = 8 * 1024
  /// The largest status on the wire, in bytes.
  public static let maximumEncodedBytes = 32 * 1024

  /// A status with these parts.
  public init(
    code: StatusCode, message: String = "", details: [StatusDetail] = [],
    trailers: Metadata = Metadata(), pushback: RetryPushback? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.trailers = trailers
    self.pushback = pushback
  }

  /// Success, without trailers.
  public static let ok = Status(code: .ok)
}

/// A message attached to a status, with the name of its type (as protobuf's `Any`).
public struct StatusDetail: Sendable, Hashable {
  /// Names the type; what follows the last `/` is the message's full protobuf name.
  public var typeURL: String
  /// The encoded message.
  public var value: [UInt8]

  /// A detail with that type and encoding.
  public init(typeURL: String, value: [UInt8]) {
    self.typeURL = typeURL
    self.value = value
  }
}
