import OnsideStore
import RPC
import RPCTransport

// A loop takes the store's answers for its calls in one go for each batch of the store.
extension EventLoop: CompletionTarget {}

extension ServerContext {
  /// How the store is to handle what a call asks of it: dropped when nobody waits for it any more,
  /// and answered on the call's event loop.
  var storeOptions: RequestOptions {
    RequestOptions(deadline: deadline.nanoseconds, target: eventLoop)
  }

  /// The event loop that the call came in on; nil in process.
  var eventLoop: EventLoop? { executor as? EventLoop }

  /// The index of the call's event loop, whose own things the call may use; nil in process, where
  /// calls come on any thread.
  var ownLoop: Int? { executor == nil ? nil : loopIndex }
}
