@testable import OnsideClient
import OnsideDomain
import OnsideProto
import RPCTransport
import Synchronization
import TestSupport
import Testing

/// Property P1 against the real service, over connections that are cut: charges = distinct keys,
/// everything charged is delivered until it is finished, and nothing reaches another user.
@Suite("P1 over the network", .timeLimit(.minutes(3))) struct NetworkPurchasePropertyTests {
  private static let users = ["anna", "bert"]
  private static let methods = [
    "LoginService/CreateSession", "LoginService/GetProfile", "LoginService/EndSession",
    "ProductsService/ListProducts", "PaymentsService/CreatePurchase",
    "PaymentsService/FinishTransaction", "PaymentsService/ListTransactions",
    "PaymentsService/WatchTransactions",
  ]

  private struct World {
    let seed: UInt64
    let service: KitService
    let group: EventLoopGroup
    var user = "anna"
    var device: Device
    var sittings: [Device.Sitting] = []

    init(seed: UInt64) async throws {
      self.seed = seed
      service = try await KitService()
      group = try EventLoopGroup(loops: 1)
      device = try Self.launch(service, group, "anna")
    }

    static func launch(
      _ service: KitService, _ group: EventLoopGroup, _ user: String, isDelivering: Bool = false
    ) throws -> Device {
      try Device(
        service, group, user: user, stateDirectory: service.folder + "/device",
        isDelivering: isDelivering)
    }
  }

  @Test("Whatever is cut, lost, refused, killed, and whoever comes", arguments: Seeds.first(4))
  func anyOrder(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var world = try await World(seed: seed)
    for _ in 0..<40 { try await step(&world, &random) }
    let fired = try await world.service.sandbox.listFaults(ListFaultsRequest()).rules
      .reduce(0) { $0 + $1.fired }
    let books = try await settle(&world)
    let charges = world.service.charges
    #expect(books.values.reduce(0) { $0 + $1.count } == charges, "seed \(seed)")
    checkOwners(world, books)
    print("seed \(seed): \(charges) charges, \(fired) faults")
    await world.service.stop()
    await world.group.shutdown()
  }

  private func step(_ world: inout World, _ random: inout SeededGenerator) async throws {
    let marketplace = world.device.marketplace
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<4:
      // What fails is a payment that never was.
      if let product = try? await marketplace.products(["coins"]).products.first {
        _ = try? await marketplace.add(Payment(product))
      }
    case 4..<6:
      if let done = marketplace.transactions.filter(\.isFinal).randomElement(using: &random) {
        try? marketplace.finish(done.id)
      }
    case 6:
      await kill(&world)
      world.device = try World.launch(world.service, world.group, world.user)
    case 7:
      marketplace.logOut()
      let user = Self.users.randomElement(using: &random) ?? ""
      world.user = user
      marketplace.host.externalAccount = { user }
    default: try await fault(world.service, &random)
    }
  }

  /// One of the next calls of a method is cut, loses its reply, or is refused.
  private func fault(_ service: KitService, _ random: inout SeededGenerator) async throws {
    let effects: [FaultRule.Effect] = [
      .cutConnection(true), .dropReply(true),
      .status(FaultStatus(code: 14, message: "as told", reason: "")),
    ]
    let rule = FaultRule(
      match: FaultMatch(method: Self.methods.randomElement(using: &random) ?? ""),
      skip: UInt32.random(in: 0...2, using: &random),
      count: UInt32.random(in: 1...3, using: &random),
      effect: effects.randomElement(using: &random))
    _ = try await service.sandbox.addFault(AddFaultRequest(rule: rule))
  }

  /// Lets every user come once more, and finishes everything.
  ///
  /// - Returns: the purchases in the service's books, by user.
  private func settle(_ world: inout World) async throws -> [String: [String]] {
    _ = try await world.service.sandbox.removeFaults(RemoveFaultsRequest())
    await kill(&world)
    var books: [String: [String]] = [:]
    for user in Self.users {
      world.user = user
      world.device = try World.launch(world.service, world.group, user, isDelivering: true)
      books[user] = try await finishAll(world)
      await kill(&world)
    }
    return books
  }

  private func finishAll(_ world: World) async throws -> [String] {
    let (marketplace, client) = (world.device.marketplace, world.device.client)
    await marketplace.start()
    if let present = marketplace.profile, present.externalUserID != world.user {
      marketplace.logOut()
    }
    try await marketplace.logIn()
    while true {
      let isEmpty = marketplace.state.withLock { $0.profile != nil && $0.queue.entries.isEmpty }
      // Each round asks the service, and so takes its time.
      let left = try await client.transactions(unfinishedOnly: true)
      if isEmpty && left.isEmpty { break }
    }
    let all = try await client.transactions()
    #expect(all.allSatisfy { $0.isFinished && $0.state == .purchased }, "seed \(world.seed)")
    return all.map(\.id)
  }

  private func kill(_ world: inout World) async {
    await world.device.kill()
    world.sittings += world.device.sittings
  }

  /// Nothing of another user's is ever in what was told while a user was there.
  private func checkOwners(_ world: World, _ books: [String: [String]]) {
    for sitting in world.sittings where !sitting.transactionIDs.isEmpty {
      let owners = books.filter { !sitting.transactionIDs.isDisjoint(with: $0.value) }.keys
      #expect(owners.count == 1, "seed \(world.seed): told together: \(sitting)")
      guard let user = sitting.user else { continue }
      #expect(Array(owners) == [user], "seed \(world.seed): told to \(user): \(sitting)")
    }
  }
}
