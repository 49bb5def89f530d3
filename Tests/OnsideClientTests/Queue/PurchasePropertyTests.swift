import OnsideDomain
import OnsideProto
import RPC
import Synchronization
import Testing

@testable import OnsideClient

/// Property P1: whatever the order of purchases, retries, crashes, deliveries, logouts and logins
/// as somebody else, charges = distinct keys, everything charged is delivered until it is finished,
/// and nothing reaches another user.
@Suite(.timeLimit(.minutes(2))) struct PurchasePropertyTests {
  /// SplitMix64.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
  }

  /// A disk that stops taking writes when its process is killed.
  private final class Disk: StateStore {
    private let memory: MemoryStateStore
    private let isDead = Mutex(false)

    init(_ memory: MemoryStateStore) { self.memory = memory }

    func kill() { isDead.withLock { $0 = true } }

    func load(_ name: String) async throws(OnsideError) -> [UInt8]? {
      try await memory.load(name)
    }

    func save(_ name: String, revision: UInt64, _ bytes: [UInt8]) async throws(OnsideError) {
      guard !isDead.withLock({ $0 }) else { throw OnsideError(.storeFailed, "killed") }
      try await memory.save(name, revision: revision, bytes)
    }

    func close() async {}

    func remove(_ name: String) async throws(OnsideError) {
      guard !isDead.withLock({ $0 }) else { throw OnsideError(.storeFailed, "killed") }
      try await memory.remove(name)
    }
  }

  /// One run of an app, with everything that its observer was told.
  private final class Launch: Sendable {
    let disk: Disk
    let marketplace: Marketplace
    let recorder: Recorder

    init(_ service: FakeService, _ memory: MemoryStateStore, user: String) throws {
      disk = Disk(memory)
      marketplace = Marketplace(
        backend: try service.client(), presenter: ScriptedPresenter(), store: disk,
        configuration: Shop.configuration())
      marketplace.host.externalAccount = { user }
      recorder = Recorder(marketplace)
    }

    func kill() {
      disk.kill()
      marketplace.close()
    }
  }

  private final class World: Sendable {
    let service = FakeService()
    let memory = MemoryStateStore()
    let finished = Mutex<[UInt64: Int]>([:])
  }

  private func fault(_ service: FakeService, _ random: inout Random) {
    let method =
      ["CreatePurchase", "FinishTransaction", "ListTransactions"].randomElement(
        using: &random) ?? ""
    let last = service.calls(method).count + Int.random(in: 0...3, using: &random)
    let hook: FakeService.Hook = { call in
      if call <= last { throw RPCError(.unavailable, "fault") }
    }
    if Bool.random(using: &random) {
      service.before(method, hook)
    } else {
      service.after(method, hook)
    }
  }

  /// Nothing of another user's is ever in what was told while a user was there.
  private func checkOwners(_ launch: Launch, _ service: FakeService, _ note: String) {
    var owner: String?
    let owners = service.books.withLock { books in
      Dictionary(
        books.purchases.map { ($0.transaction.transactionID, $0.profileID) },
        uniquingKeysWith: { first, _ in first })
    }
    for event in launch.recorder.events {
      switch event {
      case .userChanged(_, let profile): owner = profile?.id
      case .updated(let transactions):
        for id in transactions.compactMap(\.transactionID) {
          #expect(owners[id] == owner, "\(note): \(id) was told to \(owner ?? "nobody")")
        }
      default: break
      }
    }
  }

  private func step(
    _ launch: inout Launch, _ user: inout String, _ world: World, _ random: inout Random
  ) async throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      let id = ["coins", "gems"].randomElement(using: &random) ?? ""
      let marketplace = launch.marketplace
      // What fails is a payment that never was.
      if let product = try? await marketplace.products([id]).products.first {
        _ = try? await marketplace.add(Payment(product))
      }
    case 4..<6:
      if let done = launch.marketplace.transactions.filter(\.isFinal).randomElement(using: &random)
      {
        try? launch.marketplace.finish(done.id)
      }
    case 6:
      launch.kill()
      checkOwners(launch, world.service, "killed")
      launch = try Launch(world.service, world.memory, user: user)
    case 7:
      launch.marketplace.logOut()
      user = ["anna", "bert"].randomElement(using: &random) ?? ""
      let next = user
      launch.marketplace.host.externalAccount = { next }
    case 8: fault(world.service, &random)
    default:
      for _ in 0..<Int.random(in: 1...50, using: &random) { await Task.yield() }
    }
  }

  /// Lets every user come once more, and finishes everything.
  private func settle(_ world: World, _ launch: Launch) async throws {
    for method in ["CreatePurchase", "FinishTransaction", "ListTransactions"] {
      world.service.before(method, nil)
      world.service.after(method, nil)
    }
    launch.kill()
    checkOwners(launch, world.service, "last")
    for user in ["anna", "bert"] {
      try await finishAll(world, user)
    }
  }

  private func finishAll(_ world: World, _ user: String) async throws {
    let launch = try Launch(world.service, world.memory, user: user)
    await launch.marketplace.start()
    if launch.marketplace.profile?.externalUserID != user { launch.marketplace.logOut() }
    try await launch.marketplace.logIn()
    let marketplace = launch.marketplace
    while !isSettled(world, marketplace, user) { await Task.yield() }
    _ = await marketplace.saved()
    checkOwners(launch, world.service, "settled")
    launch.kill()
  }

  private func isDelivered(_ world: World, _ user: String) -> Bool {
    world.service.books.withLock { books in
      books.purchases.allSatisfy { $0.profileID != "external-\(user)" || $0.transaction.finished }
    }
  }

  private func isSettled(_ world: World, _ marketplace: Marketplace, _ user: String) -> Bool {
    for done in marketplace.transactions where done.isFinal { try? marketplace.finish(done.id) }
    return isDelivered(world, user) && marketplace.state.withLock { $0.queue.entries.isEmpty }
  }

  // Some interleavings never settle. Whether the queue or this test waits for nothing isn't known
  // yet.
  @Test(.disabled("some interleavings never settle"), arguments: Array<UInt64>(1...24))
  func chargesEqualKeysInAnyOrder(_ seed: UInt64) async throws {
    var random = Random(state: seed)
    let world = World()
    var user = "anna"
    var launch = try Launch(world.service, world.memory, user: user)
    for _ in 0..<60 { try await step(&launch, &user, world, &random) }
    try await settle(world, launch)
    let (charges, purchases) = world.service.books.withLock { ($0.charges, $0.purchases) }
    #expect(Set(charges).count == charges.count, "seed \(seed)")
    #expect(charges.count == purchases.count, "seed \(seed)")
    #expect(!purchases.contains { !$0.transaction.finished }, "seed \(seed)")
    print("seed \(seed): \(charges.count) charges")
  }
}
