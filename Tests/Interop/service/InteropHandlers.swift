public import RPC

/// The service of the interoperability list.
public struct InteropHandlers: InteropService {
  /// Bodies and pauses that are larger than a caller may ask for are refused.
  static let maximumBody = 4 << 20

  /// Makes the handlers.
  public init() {}

  /// Takes nothing and gives nothing.
  public func empty(
    _ request: EmptyMessage, context: ServerContext
  ) async throws -> EmptyMessage {
    try context.echoMetadata()
    return EmptyMessage()
  }

  /// Answers with a body of the size that is asked for, or with a status.
  public func unary(_ request: UnaryRequest, context: ServerContext) async throws -> Body {
    try context.echoMetadata()
    try request.requestCompressed.check(context.isRequestCompressed)
    try request.status.throwIfAny()
    context.responseCompression = MessageCompression(request.responseCompressed)
    return try Body(zeros: request.responseSize)
  }
}

extension Body {
  /// A body of so many zeros.
  init(zeros size: UInt32) throws(RPCError) {
    guard size <= InteropHandlers.maximumBody else {
      throw RPCError(
        .invalidArgument,
        "a body of \(size) bytes is asked for; ask for at most \(InteropHandlers.maximumBody)")
    }
    self.init(content: [UInt8](repeating: 0, count: Int(size)))
  }
}

extension Compressed {
  /// Refuses a message that didn't come as its sender says.
  func check(_ isCompressed: Bool) throws(RPCError) {
    guard self == .yes && !isCompressed || self == .no && isCompressed else { return }
    throw RPCError(
      .invalidArgument, "the message came \(isCompressed ? "compressed" : "as it is")")
  }
}

extension MessageCompression {
  /// How a message is sent that is asked for in this way.
  init(_ choice: Compressed) {
    switch choice {
    case .yes: self = .always
    case .no: self = .never
    default: self = .automatic
    }
  }
}

extension RequestedStatus? {
  /// Ends the call as it is asked for.
  func throwIfAny() throws(RPCError) {
    guard let self else { return }
    throw RPCError(StatusCode(rawValue: self.code), self.message)
  }
}

extension ServerContext {
  /// Sends `x-echo-initial` and `x-echo-trailing` back.
  func echoMetadata() throws {
    for entry in metadata.entries {
      switch entry.key {
      case "x-echo-initial": try initialMetadata.add(entry)
      case "x-echo-trailing": try trailingMetadata.add(entry)
      default: break
      }
    }
  }
}

extension Metadata {
  /// Adds an entry as it is.
  fileprivate mutating func add(_ entry: Entry) throws {
    switch entry.value {
    case .ascii(let text): try add(entry.key, text)
    case .binary(let bytes): try add(entry.key, binary: bytes)
    }
  }
}
