import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

extension PaymentsHandlers {
  /// Events are always read from the store; the hub only says when. So a slow watcher waits for its
  /// own credit in `send`, and neither holds up others nor piles anything up.
  func watchTransactions(
    _ request: WatchTransactionsRequest, responses: ResponseWriter<WatchTransactionsResponse>,
    context: ServerContext
  ) async throws {
    let session = try context.session
    let start = try Self.start(request, session)
    // Before the first reading: what is committed in between wakes the watch.
    let watch = try watches.begin(session.claims)
    defer { watches.end(watch) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await tell(responses, session, start, watch) }
      group.addTask {
        for await end in watch.ends { throw end.error }
      }
      if flow.store.isShared {
        group.addTask { try await Self.poll(watch) }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// The most events that are read at a time.
  private static let pageSize = 100

  /// How often a store is looked at that other servers write to.
  private static let pollInterval = Duration.seconds(1)

  /// Where a watch starts; nil: behind the last event.
  private static func start(
    _ request: WatchTransactionsRequest, _ session: Session
  ) throws(RPCError) -> Int64? {
    guard !request.cursor.isEmpty else { return nil }
    let cursor = EventCursor(
      text: request.cursor, for: session.profileID, appID: session.appID)
    guard let cursor else {
      throw RPCError(
        .cursorInvalid,
        "the cursor isn't one of this profile in this app; list the transactions and watch with an "
          + "empty cursor")
    }
    return cursor.position
  }

  /// Sends events as they come, until the call is over.
  private func tell(
    _ responses: ResponseWriter<WatchTransactionsResponse>, _ session: Session, _ start: Int64?,
    _ watch: Watch
  ) async throws {
    var page = try await read(session, after: start)
    // What a cursor in hand is good for is known by now.
    try await responses.send(
      WatchTransactionsResponse(cursor: Self.cursor(start ?? page.position, session)))
    var changes = watch.changes.makeAsyncIterator()
    while !Task.isCancelled {
      for event in page.events {
        guard let message = Self.message(event, session) else { continue }
        try await responses.send(message)
      }
      if !page.hasMore, await changes.next() == nil { return }
      page = try await read(session, after: page.position)
    }
  }

  private func read(
    _ session: Session, after position: Int64?
  ) async throws(RPCError) -> ProfileEventPage {
    let reading = try await stored { () async throws(StoreError) in
      try await flow.store.profileEvents(
        of: session.profileID, after: position, limit: Self.pageSize)
    }
    switch reading {
    case .page(let page): return page
    case .lost:
      throw RPCError(
        .cursorInvalid,
        "events behind the cursor aren't kept any more: they are for 30 days; list the "
          + "transactions and watch with an empty cursor")
    }
  }

  /// Nil: the event is another app's.
  private static func message(
    _ event: ProfileEvent, _ session: Session
  ) -> WatchTransactionsResponse? {
    let cursor = cursor(event.sequence, session)
    switch event.change {
    case .storefront(let storefront):
      return WatchTransactionsResponse(cursor: cursor, event: .storefront(storefront.message))
    case .transaction(let transaction):
      guard transaction.appID == session.appID else { return nil }
      return WatchTransactionsResponse(cursor: cursor, event: .transaction(transaction.message))
    }
  }

  private static func cursor(_ position: Int64, _ session: Session) -> String {
    EventCursor(position: position).text(for: session.profileID, appID: session.appID)
  }

  private static func poll(_ watch: Watch) async throws {
    while true {
      try await Task.sleep(for: pollInterval)
      watch.wake()
    }
  }
}
