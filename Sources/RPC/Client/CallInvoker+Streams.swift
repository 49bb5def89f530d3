public import ProtobufWire

extension CallInvoker {
  /// Makes a call with one request and many responses. It begins at once.
  public func serverStreaming<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _ request: Request, options: CallOptions = CallOptions()
  ) -> ResponseStream<Response> {
    ResponseStream(
      handle: begin(method, options) {
        OutgoingServerStream(method, request, options: $0, onEnd: $1)
      })
  }

  /// Makes a call with many requests and one response. It begins at once.
  public func clientStreaming<Request: Message, Response: Message>(
    _ method: MethodDescriptor, options: CallOptions = CallOptions()
  ) -> ClientStreamingCall<Request, Response> {
    ClientStreamingCall(
      handle: begin(method, options) { OutgoingStream(method, options: $0, onEnd: $1) })
  }

  /// Makes a call with many requests and many responses. It begins at once.
  public func bidirectional<Request: Message, Response: Message>(
    _ method: MethodDescriptor, options: CallOptions = CallOptions()
  ) -> BidirectionalCall<Request, Response> {
    BidirectionalCall(
      handle: begin(method, options) { OutgoingStream(method, options: $0, onEnd: $1) })
  }

  /// Asks the interceptors, and starts the call unless one refuses it.
  private func begin(
    _ method: MethodDescriptor, _ options: CallOptions,
    make: (CallOptions, [@Sendable (RPCError?) -> Void]) -> OutgoingStream
  ) -> StreamHandle {
    var options = options
    var onEnd: [@Sendable (RPCError?) -> Void] = []
    do throws(RPCError) {
      for interceptor in interceptors {
        let passed = try interceptor.interceptStream(method: method, options: options)
        options = passed.options
        if let action = passed.onEnd { onEnd.insert(action, at: 0) }
      }
    } catch {
      let call = make(options, onEnd)
      call.failed(error)
      return StreamHandle(call)
    }
    let call = make(options, onEnd)
    call.inheritedDeadline = CallDeadline.inherited(options)
    start(call)
    return StreamHandle(call)
  }
}
