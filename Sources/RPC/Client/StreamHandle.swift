import ProtobufWire

/// What the caller holds of a call with streams: when it lets go, the call is cancelled unless it
/// has ended.
@usableFromInline
final class StreamHandle: Sendable {
  let call: OutgoingStream

  init(_ call: OutgoingStream) { self.call = call }

  deinit { call.giveUp() }

  /// Takes the next response.
  func next<Response: Message>(
    isolation actor: isolated (any Actor)?, as _: Response.Type
  ) async throws(RPCError) -> (response: Response, isCompressed: Bool)? {
    var next = call.inbound.take()
    if next == nil { next = await call.inbound.next { [call] in call.giveUp() } }
    switch next {
    case .message(let message, let credit):
      if credit > 0 { call.giveBack(credit) }
      do throws(UnreadableMessage) {
        return (try message.decode(of: call.method), message.inflater != nil)
      } catch {
        call.giveUp()
        throw RPCError(error, "a response of \(call.method.path)", phase: .answered)
      }
    case .failed(let error): throw error
    case .end, nil: return nil
    }
  }

  /// The server's initial metadata; empty when there is none. Cancelling the task cancels the call.
  func initialMetadata() async -> Metadata {
    await withTaskCancellationHandler {
      await call.waitForMetadata()
    } onCancel: {
      call.giveUp()
    }
  }
}
