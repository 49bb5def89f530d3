import OnsideDomain
import OnsideProto
import RPC
import Synchronization
import TestSupport
import Testing

@testable import OnsideClient

/// Property P1: whatever the order of purchases, retries, crashes, deliveries, logouts and logins
/// as somebody else, charges = distinct keys, everything charged is delivered until it is finished,
/// and nothing reaches another user.
@Suite(.timeLimit(.minutes(2))) struct PurchasePropertyTests {
  private static let users = ["anna", "bert"]
  private static let faulty = [
    "CreateSession", "GetProfile", "EndSession", "CreatePurchase", "FinishTransaction",
    "ListTransactions",
  ]

  /// A service, the disk of one device, and the app that runs there now.
  private struct World {
    let seed: UInt64
    let service = FakeService()
    let memory = MemoryStateStore()
    let invoker: InProcessTransport
    var user = "anna"
    var launch: Launch

    init(seed: UInt64) throws {
      self.seed = seed
      invoker = try service.invoker()
      launch = Launch(invoker, memory, user: user)
    }

    mutating func launchAgain(as user: String) {
      self.user = user
      launch = Launch(invoker, memory, user: user)
    }
  }

  @Test(arguments: Seeds.first(24))
  func chargesEqualKeysInAnyOrder(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var world = try World(seed: seed)
    for _ in 0..<60 { await step(&world, &random) }
    try await settle(&world)
    let (charges, purchases) = world.service.books.withLock { ($0.charges, $0.purchases) }
    #expect(Set(charges).count == charges.count, "seed \(seed)")
    #expect(charges.count == purchases.count, "seed \(seed)")
    #expect(!purchases.contains { !$0.transaction.finished }, "seed \(seed)")
    print("seed \(seed): \(charges.count) charges")
  }

  private func step(_ world: inout World, _ random: inout SeededGenerator) async {
    let marketplace = world.launch.marketplace
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      let id = ["coins", "gems"].randomElement(using: &random) ?? ""
      // What fails is a payment that never was.
      if let product = try? await marketplace.products([id]).products.first {
        _ = try? await marketplace.add(Payment(product))
      }
    case 4..<6:
      if let done = marketplace.transactions.filter(\.isFinal).randomElement(using: &random) {
        try? marketplace.finish(done.id)
      }
    case 6:
      await kill(world, "killed")
      world.launchAgain(as: world.user)
    case 7:
      marketplace.logOut()
      let user = Self.users.randomElement(using: &random) ?? ""
      world.user = user
      marketplace.host.externalAccount = { user }
    case 8: fault(world.service, &random)
    default:
      for _ in 0..<Int.random(in: 1...50, using: &random) { await Task.yield() }
    }
  }

  /// The next calls of a method fail, before or after their work.
  private func fault(_ service: FakeService, _ random: inout SeededGenerator) {
    let method = Self.faulty.randomElement(using: &random) ?? ""
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

  /// Lets every user come once more, and finishes everything.
  private func settle(_ world: inout World) async throws {
    for method in Self.faulty {
      world.service.before(method, nil)
      world.service.after(method, nil)
    }
    await kill(world, "killed at the end")
    for user in Self.users {
      world.launchAgain(as: user)
      try await finishAll(world)
      await kill(world, "settled")
    }
  }

  private func finishAll(_ world: World) async throws {
    let (launch, service, user) = (world.launch, world.service, world.user)
    let marketplace = launch.marketplace
    await marketplace.start()
    if let present = marketplace.profile, present.externalUserID != user { marketplace.logOut() }
    launch.deliver()
    try await marketplace.logIn()
    await launch.until {
      let isEmpty = marketplace.state.withLock { $0.profile != nil && $0.queue.entries.isEmpty }
      return isEmpty
        && service.books.withLock { books in
          books.purchases.allSatisfy {
            $0.profileID != "external-\(user)" || $0.transaction.finished
          }
        }
    }
    _ = await marketplace.saved()
  }

  /// Nothing of another user's is ever in what was told while a user was there.
  private func kill(_ world: World, _ note: String) async {
    world.launch.kill()
    await world.launch.recorder.end()
    let owners = world.service.books.withLock { books in
      Dictionary(
        books.purchases.map { ($0.transaction.transactionID, $0.profileID) },
        uniquingKeysWith: { first, _ in first })
    }
    // Who was there before the observer came isn't told: then it is whose the first news is.
    var owner: String?
    var isKnown = false
    for event in world.launch.recorder.events {
      switch event {
      case .userChanged(_, let profile): (owner, isKnown) = (profile?.id, true)
      case .updated(let transactions):
        for id in transactions.compactMap(\.transactionID) {
          if !isKnown { (owner, isKnown) = (owners[id], true) }
          #expect(
            owners[id] == owner,
            "seed \(world.seed), \(note): \(id) was told to \(owner ?? "nobody")")
        }
      default: break
      }
    }
  }
}
