@testable import RPC
import Testing

/// The end of a call in process, which one thread tells while another still writes.
@Suite struct InProcessEndTests {
  /// The writer hears how the call ended, and nothing else: CANCELLED would be wrong of a call that
  /// the handler has refused.
  @Test func requestsThatComeWithTheEndAreDroppedWithoutAnErrorOfTheirOwn() {
    let call = OutgoingStream(EchoServiceMethods.gather, options: CallOptions(), onEnd: [])
    let exchange = InProcessExchange(call, InProcessTransport.Configuration())
    exchange.end(.failure(RPCError(.failedPrecondition, "two are enough")))
    let error = exchange.write(call, size: 3, compression: .never) { buffer in
      buffer.copyBytes(from: [1, 2, 3])
    }
    #expect(error == nil)
  }
}
