/// Carries the answers of a transport's calls back to their callers.
///
/// Each call is answered at most once: what comes after the first answer is dropped, since a
/// deadline may have answered before the handler did.
package protocol CallResponder: AnyObject, Sendable {
  /// Answers with a message of at most `maximum` bytes; `encode` writes it and returns its size.
  func respond(
    to context: ServerContext, upTo maximum: Int, encode: (UnsafeMutableRawBufferPointer) -> Int)

  /// The most bytes of an encoded response that the caller takes. On the call's loop.
  var maximumResponseSize: Int { get }

  /// Answers with an error.
  func fail(_ context: ServerContext, _ error: RPCError)

  /// Cuts the connection that a call came in on, without a word.
  func cutConnection(of context: ServerContext)

  /// The handler's task has ended; nothing more comes for this call.
  func handlerEnded(_ context: ServerContext)

  /// Starts a handler that may compute or block, where that holds nobody up.
  ///
  /// - Parameter start: Decodes the request and starts the handler.
  func offload(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext,
    _ start: @escaping RegisteredMethod.Start)

  // MARK: Streaming calls

  /// True on the thread that the transport's calls live on; what follows is to be called there.
  var isHere: Bool { get }

  /// Runs work on the thread that the transport's calls live on.
  func post(_ work: @escaping @Sendable () -> Void)

  /// Sends a response of a call that may have many. It tells the call's `outbound` when the message
  /// has to wait.
  func write(
    _ context: ServerContext, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError?

  /// Sends the initial metadata, once.
  func sendInitialMetadata(_ context: ServerContext)

  /// The handler has taken requests of so many bytes.
  func returnCredit(_ context: ServerContext, _ bytes: Int)

  /// Ends a call with OK and no further message.
  func finish(_ context: ServerContext)
}

extension CallResponder {
  /// Answers with a message of exactly `size` bytes, which `encode` writes.
  package func respond(
    to context: ServerContext, size: Int, encode: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    respond(to: context, upTo: size) { buffer in
      encode(buffer)
      return size
    }
  }
}
