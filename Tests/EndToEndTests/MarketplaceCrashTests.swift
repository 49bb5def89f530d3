import Glibc
import OnsideClient
import OnsideDomain
import RPCClient
import RPCTransport
import Testing

/// Property P1 with `kill -9` of the server: whatever the queue has taken is bought once,
/// delivered, and finished, however often the server goes away.
@Suite("kill -9 under marketplaces", .timeLimit(.minutes(4)))
struct MarketplaceCrashTests {
  private static let users = 6
  private static let purchases = 25

  /// One user's app, which delivers and finishes everything.
  private struct Shopper: Sendable {
    let client: OnsideClient
    let marketplace: Marketplace
    let delivered: AsyncStream<String?>

    init(_ connection: RPCClient, user: String, told: AsyncStream<Void>.Continuation) throws {
      client = OnsideClient(
        invoker: connection, configuration: .init(appID: Workspace.app, purchaseAttempts: 1))
      marketplace = try Marketplace(
        client: client, presenter: ScriptedPresenter(),
        configuration: .init(pause: { _ in try await Task.sleep(for: .milliseconds(5)) }))
      marketplace.host.externalAccount = { user }
      let (delivered, deliveries) = AsyncStream.makeStream(of: String?.self)
      self.delivered = delivered
      let events = marketplace.observe()
      Task { [marketplace] in
        for await event in events {
          guard case .updated(let transactions) = event else { continue }
          for final in transactions where final.isFinal {
            #expect(final.state == .purchased, "\(final)")
            deliveries.yield(final.payment.appAccountToken)
            told.yield()
            try? marketplace.finish(final.id)
          }
        }
        deliveries.finish()
      }
    }

    /// Puts payments into the queue, each with a name of its own; waits for their deliveries.
    func shop(_ names: [String]) async throws -> [String?] {
      try await marketplace.logIn()
      let product = try #require(try await marketplace.products(["coins"]).products.first)
      for name in names { try await marketplace.add(Payment(product, appAccountToken: name)) }
      var result: [String?] = []
      for await name in delivered {
        result.append(name)
        if result.count == names.count { break }
      }
      // Each round asks the service, and so takes its time.
      while true {
        if let left = try? await client.transactions(unfinishedOnly: true), left.isEmpty { break }
      }
      return result
    }
  }

  @Test("Each payment is bought once, delivered once, and finished", arguments: 1...2)
  func killed(round: Int) async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let (told, tells) = AsyncStream.makeStream(of: Void.self)
    let connection = try ClientUnderTest(server, workspace)
    let shoppers = try (0..<Self.users).map {
      try Shopper(connection.client, user: "user-\($0)", told: tells)
    }
    async let last = kill(server, workspace, told, after: [7 * round, 40, 31, 9])
    let names = (0..<Self.users).map { user in (0..<Self.purchases).map { "\(user)-\($0)" } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (shopper, names) in zip(shoppers, names) {
        group.addTask {
          #expect(try await shopper.shop(names) == names, "delivered once each, in order")
          let books = try await shopper.client.transactions()
          #expect(books.compactMap(\.appAccountToken).sorted() == names.sorted())
          #expect(books.allSatisfy { $0.state == .purchased && $0.isFinished })
        }
      }
      try await group.waitForAll()
    }
    for shopper in shoppers { shopper.marketplace.close() }
    await connection.close()
    try await last.stop()
  }

  /// Kills the server after so many purchases more were told, and starts it again where it was.
  ///
  /// - Returns: the last one.
  private func kill(
    _ first: ServerUnderTest, _ workspace: Workspace, _ told: AsyncStream<Void>, after: [Int]
  ) async throws -> ServerUnderTest {
    var server = first
    var purchases = told.makeAsyncIterator()
    for count in after {
      for _ in 0..<count { await purchases.next() }
      server.signal(SIGKILL)
      #expect(await server.ended().status == -SIGKILL)
      server = try await ServerUnderTest(workspace, listen: first.address)
    }
    return server
  }
}
