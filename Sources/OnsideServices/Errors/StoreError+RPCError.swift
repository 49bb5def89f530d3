import OnsideDomain
import OnsideStore
import RPC

extension RPCError {
  /// What a caller is told when the store didn't do what a call needs. The store's own text names
  /// files and is for the log: it stays in the process as the cause.
  init(_ error: StoreError) {
    switch error.code {
    case .overloaded, .busy:
      self.init(
        .storeOverloaded, "the store has more to do than it can take; try again in a moment",
        cause: error)
    case .deadlineExceeded:
      self.init(
        .deadlineExceeded,
        "the call's deadline passed while it waited for the store; nothing was "
          + "done", cause: error)
    case .failed:
      self.init(
        .storeFailed, "the store failed and takes no writes until the server is started again",
        cause: error)
    case .closed:
      self.init(.storeFailed, "the server is stopping; try again", cause: error)
    default:
      self.init(.internal, RPCError.internalErrorText, cause: error)
    }
  }
}

/// Runs calls of the store for a handler.
///
/// - Throws: What the caller is told.
func stored<Value>(
  _ body: () async throws(StoreError) -> Value
) async throws(RPCError) -> Value {
  do throws(StoreError) {
    return try await body()
  } catch {
    throw RPCError(error)
  }
}
