public import OnsideDomain
import OnsideProto
import RPC
import Synchronization

/// What a watch of the user's transactions brings.
public struct WatchNotice: Sendable, Hashable {
  /// What has happened.
  public enum Event: Sendable, Hashable {
    /// The watch has begun; nothing has happened yet.
    case begun

    /// A transaction that is new or has changed, as it is now.
    case transaction(TransactionRecord)

    /// The profile's storefront, after it has changed.
    case storefront(OnsideDomain.Storefront)
  }

  /// Where to watch from after this notice.
  public let cursor: String

  /// What has happened.
  public let event: Event

  init(cursor: String, event: Event) {
    self.cursor = cursor
    self.event = event
  }

  init(_ message: WatchTransactionsResponse) throws(OnsideError) {
    cursor = message.cursor
    switch message.event {
    case nil: event = .begun
    case .transaction(let transaction): event = .transaction(try TransactionRecord(transaction))
    case .storefront(let storefront):
      event = .storefront(try OnsideDomain.Storefront(storefront))
    }
  }
}

extension OnsideClient {
  /// Watches the user's transactions and storefront until the service ends the call, the user
  /// changes, or the caller's task is cancelled.
  ///
  /// - Parameters:
  ///   - cursor: Of the last notice that was taken; nil: from now on.
  ///   - take: Called with one notice after the other.
  /// - Throws: What ended the watch, also if the service ended it in good order: `unavailable`.
  ///   `refused` with `cursorInvalid` if the cursor is too old: list again, and watch from now on.
  public func watch(
    from cursor: String?, _ take: (WatchNotice) async -> Void
  ) async throws(OnsideError) {
    let (current, generation) = state.withLock { ($0.machine.current, $0.machine.generation) }
    guard case .signedIn(let session) = current else {
      throw
        OnsideError(.notSignedIn, "a watch needs a session; log in")
    }
    var options = try options(session: session)
    options.timeout = nil
    let stream = payments.watchTransactions(
      WatchTransactionsRequest(cursor: cursor ?? ""), options: options)
    var iterator = stream.makeAsyncIterator()
    while true {
      let message: WatchTransactionsResponse?
      do throws(RPCError) {
        message = try await iterator.next()
      } catch {
        throw watchEnded(OnsideError(error), in: generation)
      }
      guard sessionGeneration == generation else {
        throw OnsideError(.superseded, "the user changed; the watch is over")
      }
      guard let message else {
        throw OnsideError(.unavailable, "the service ended the watch; watch again")
      }
      await take(try WatchNotice(message))
    }
  }

  private func watchEnded(_ error: OnsideError, in generation: UInt64) -> OnsideError {
    if error.code == .sessionLost { state.withLock { $0.machine.lost(in: generation) } }
    return error
  }
}
