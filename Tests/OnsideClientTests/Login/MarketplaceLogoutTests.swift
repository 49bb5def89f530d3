import OnsideDomain
import RPC
import Synchronization
import Testing

@testable import OnsideClient

/// A logout, and a process that ends in the middle of it.
@Suite(.timeLimit(.minutes(1))) struct MarketplaceLogoutTests {
  /// A store whose functions a test holds up.
  private final class HeldStore: StateStore {
    let memory = MemoryStateStore()
    let hooks = Mutex(Hooks())

    struct Hooks: Sendable {
      var load: (@Sendable () async -> Void)?
      var save: (@Sendable () async -> Void)?
      var remove: (@Sendable () async throws(OnsideError) -> Void)?
    }

    func load(_ name: String) async throws(OnsideError) -> [UInt8]? {
      if name == "session" { await hooks.withLock { $0.load }?() }
      return try await memory.load(name)
    }

    func save(_ name: String, revision: UInt64, _ bytes: [UInt8]) async throws(OnsideError) {
      if name == "session" { await hooks.withLock { $0.save }?() }
      try await memory.save(name, revision: revision, bytes)
    }

    func remove(_ name: String) async throws(OnsideError) {
      try await hooks.withLock { $0.remove }?()
      try await memory.remove(name)
    }

    func close() async {}

    func hasSession() async -> Bool { (try? await memory.load("session")) != nil }
  }

  /// Whenever the process ends, what is on disk is a session that the service takes, or none.
  @Test func theKeptSessionIsGoneBeforeTheServiceEndsIt() async throws {
    let store = HeldStore()
    let shop = try Shop(store: store)
    try await shop.marketplace.logIn()
    _ = await shop.marketplace.saved()
    #expect(await store.hasSession())
    store.hooks.withLock {
      $0.remove = { () async throws(OnsideError) in
        // Time enough for a call that doesn't wait for this.
        for _ in 0..<1_000 { await Task.yield() }
      }
    }
    let wasKept = Mutex<[Bool]>([])
    shop.service.before("EndSession") { _ in
      let isKept = await store.hasSession()
      wasKept.withLock { $0.append(isKept) }
    }
    await shop.marketplace.logOut().value
    #expect(wasKept.withLock { $0 } == [false])
    #expect(shop.service.books.withLock { $0.sessions.isEmpty })
  }

  @Test func onceItIsThroughNobodyIsSignedInAtTheNextLaunch() async throws {
    let shop = try Shop()
    try await shop.marketplace.logIn()
    _ = await shop.marketplace.saved()
    await shop.marketplace.logOut().value
    shop.marketplace.close()
    let next = try Shop(service: shop.service, user: nil, store: shop.store)
    await next.marketplace.start()
    #expect(next.marketplace.profile == nil)
  }

  /// A disk that can't remove anything doesn't keep the session alive.
  @Test func aSessionThatCantBeRemovedIsEnded() async throws {
    let store = HeldStore()
    let shop = try Shop(store: store)
    try await shop.marketplace.logIn()
    store.hooks.withLock {
      $0.remove = { () async throws(OnsideError) in throw OnsideError(.storeFailed, "broken") }
    }
    await shop.marketplace.logOut().value
    #expect(shop.service.books.withLock { $0.sessions.isEmpty })
  }

  /// Nobody waits for a service that can't be reached: what it couldn't end it ends later.
  @Test func whatCouldNotBeEndedIsEndedAfterTheNextLogin() async throws {
    let shop = try Shop()
    let service = shop.service
    service.before("GetProfile") { call in
      if call == 1 { throw RPCError(.unavailable, "down") }
    }
    service.before("EndSession") { call in
      if call == 1 { throw RPCError(.unavailable, "down") }
    }
    // The half-made session of step 4 of external login, with nobody to type a number.
    #expect(await problem { try await shop.marketplace.logIn() }?.code == .loginDiscarded)
    #expect(service.books.withLock { $0.sessions.count } == 1)
    let ended = Gate()
    service.after("EndSession") { _ in ended.open() }
    try await shop.marketplace.logIn()
    await ended.wait()
    #expect(service.books.withLock { $0.sessions.count } == 1)
    #expect(try await shop.product().identifier == "coins", "the good session is still there")
    #expect(service.calls("EndSession").count == 2)
  }

  /// The session of the last run, still being read from the disk, is the user's who logs out.
  @Test func aSessionThatWasNotTakenUpYetIsEndedToo() async throws {
    let store = HeldStore()
    let shop = try Shop(store: store)
    try await shop.marketplace.logIn()
    _ = await shop.marketplace.saved()
    shop.marketplace.close()
    let loading = Gate()
    let loaded = Gate()
    store.hooks.withLock {
      $0.load = {
        loading.open()
        await loaded.wait()
      }
    }
    let next = try Shop(service: shop.service, user: nil, store: store)
    await loading.wait()
    let end = next.marketplace.logOut()
    loaded.open()
    await end.value
    await next.marketplace.start()
    #expect(next.marketplace.profile == nil)
    #expect(shop.service.books.withLock { $0.sessions.isEmpty })
    #expect(await !store.hasSession())
  }

  /// A logout in the moment in which a login is through: what was kept is gone, whoever was first.
  @Test func aLogoutRightAfterTheLoginLeavesNothing() async throws {
    for round in 0..<200 {
      let store = HeldStore()
      let shop = try Shop(store: store)
      let marketplace = shop.marketplace
      let events = marketplace.observe()
      let logout = Task {
        for await case .userChanged(_, .some) in events { break }
        await marketplace.logOut().value
      }
      try? await marketplace.logIn()
      await logout.value
      _ = await marketplace.saved()
      #expect(await !store.hasSession(), "round \(round)")
      #expect(shop.service.books.withLock { $0.sessions.isEmpty }, "round \(round)")
      marketplace.close()
    }
  }
}
