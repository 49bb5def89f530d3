import Glibc

/// A handler in a struct: an optional or a generic collection of bare closures would call each of
/// them through a thunk.
package struct ImmediateBox: Sendable {
  package let handler: ImmediateHandler
}

/// A method as a running server knows it: what it does, who may call it, and how.
@usableFromInline
package final class RegisteredMethod: Sendable {
  /// Decodes the borrowed request and starts the handler, or refuses; returns without waiting.
  @usableFromInline
  package typealias Start =
    @Sendable (_ request: UnsafeRawBufferPointer, _ context: ServerContext) -> Void

  package let descriptor: MethodDescriptor

  /// Where the method's handlers run, by event loop; none in process.
  package let executors: [any TaskExecutor]

  /// The method's place in its server's table, from 1.
  package let label: UInt
  package let rule: AuthorizationRule
  package let immediate: ImmediateBox?
  package let start: Start

  /// True where the handler starts with the call and takes its requests from a stream.
  package let takesStream: Bool

  /// True where a call without a timeout gets the server's.
  package let hasDefaultDeadline: Bool

  /// The UTF-8 bytes of the method's path.
  package let path: [UInt8]
  private let interceptors: [any ServerInterceptor]
  private let switched: SwitchedInterceptor?

  package init(
    _ descriptor: MethodDescriptor, rule: AuthorizationRule, immediate: ImmediateBox?,
    interceptors: [any ServerInterceptor], switched: SwitchedInterceptor? = nil,
    executors: [any TaskExecutor] = [], label: UInt = 0,
    start: @escaping Start
  ) {
    self.descriptor = descriptor
    self.executors = executors
    self.label = label
    path = Array(descriptor.path.utf8)
    takesStream = descriptor.shape.hasManyRequests
    hasDefaultDeadline = !descriptor.shape.hasManyResponses
    self.rule = rule
    self.immediate = interceptors.isEmpty ? immediate : nil
    self.interceptors = interceptors
    self.switched = switched
    self.start = start
  }

  /// What runs around the handlers of calls that begin now.
  @usableFromInline package var currentInterceptors: [any ServerInterceptor] {
    guard let switched, switched.isOn else { return interceptors }
    return [switched.interceptor] + interceptors
  }

  /// Whether these are the bytes of the method's path.
  package func isNamed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == path.count, let start = bytes.baseAddress else { return false }
    return path.withUnsafeBytes { own in
      own.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? false
    }
  }

  /// Runs a call: authorization first, then the immediate handler, then the ordinary one.
  ///
  /// - Returns: True when the call is over already and `context` isn't held by a handler.
  package func serve(_ request: UnsafeRawBufferPointer, _ context: ServerContext) -> Bool {
    do throws(RPCError) {
      if let check = rule.check { context.principal = try check.run(context) }
      if let immediate, switched.map({ !$0.isOn }) ?? true,
        try answer(request, context, immediate.handler)
      {
        return true
      }
    } catch {
      context.responder.fail(context, error)
      return true
    }
    start(request, context)
    return false
  }

  private func answer(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ immediate: ImmediateHandler
  ) throws(RPCError) -> Bool {
    var sink = ResponseSink(context)
    switch try immediate(request, context, &sink) {
    case .answered:
      guard context.isAnswered else {
        throw RPCError(
          .internal, RPCError.internalErrorText,
          cause: RegistrationError.answeredNothing(descriptor))
      }
      return true
    case .needsTask:
      // A handler that wrote and still asks for a task has answered; there is nothing left to run.
      return context.isAnswered
    }
  }
}
