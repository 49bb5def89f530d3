public import ProtobufWire

/// What an immediate handler did with its call.
public enum ImmediateResult: Sendable {
  /// It wrote the response into the sink.
  case answered

  /// It wrote nothing: the method's ordinary handler has to do it.
  case needsTask
}

/// Answers a call without a task, on its event loop, from the bytes of its request.
///
/// It must not block, and it returns `.needsTask` for whatever takes waiting. The request's bytes
/// are borrowed: they are gone when it returns. Nothing of the request was checked yet but the
/// method's authorization.
public typealias ImmediateHandler =
  @Sendable (
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ sink: inout ResponseSink
  ) throws(RPCError) -> ImmediateResult

/// Where an immediate handler writes its response: into the connection's output.
public struct ResponseSink: ~Copyable {
  let context: ServerContext

  package init(_ context: ServerContext) { self.context = context }

  /// Writes the response, once.
  ///
  /// - Parameters:
  ///   - size: Exactly how many bytes the encoded message has.
  ///   - encode: Writes them all. It is called before this returns.
  public mutating func write(size: Int, _ encode: (UnsafeMutableRawBufferPointer) -> Void) {
    context.responder.respond(to: context, size: size, encode: encode)
  }

  /// Writes a response whose size isn't known beforehand, once.
  ///
  /// - Parameters:
  ///   - maximum: The most bytes that the encoded message may have.
  ///   - encode: Writes the message from the buffer's start and returns how many bytes it has.
  public mutating func write(upTo maximum: Int, _ encode: (UnsafeMutableRawBufferPointer) -> Int) {
    context.responder.respond(to: context, upTo: maximum, encode: encode)
  }

  /// Writes a message as the response, once.
  @inlinable
  public mutating func write(_ message: some Message) {
    let plan = message.sizePlan()
    write(size: plan.total) { buffer in message.encode(into: buffer, plan: plan) }
  }
}
