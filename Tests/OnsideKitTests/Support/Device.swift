@testable import OnsideClient
import OnsideDomain
import RPCClient
import RPCTransport
import Synchronization

/// One run of an app on a device of its own: a marketplace with its own connection, and everything
/// that its observer was told.
final class Device: Sendable {
  let marketplace: Marketplace
  let client: OnsideClient
  private let connection: RPCClient
  private let told = Mutex<[MarketplaceEvent]>([])
  private let listener = Mutex<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - user: The app's own account.
  ///   - stateDirectory: What outlives the run.
  ///   - isDelivering: Finishes everything that is final, and signs in again after a loss.
  init(
    _ service: KitService, _ group: EventLoopGroup, user: String?, stateDirectory: String? = nil,
    isDelivering: Bool = false
  ) throws {
    var settings = ClientConfiguration()
    settings.backoff = Backoff(initial: .milliseconds(2), maximum: .milliseconds(20))
    settings.connectTimeout = .seconds(60)
    settings.defaultTimeout = .seconds(60)
    connection = try service.connection(group, settings)
    client = OnsideClient(
      invoker: connection, configuration: .init(appID: KitService.app, purchaseAttempts: 1))
    marketplace = try Marketplace(
      client: client, presenter: ScriptedPresenter(),
      configuration: .init(
        stateDirectory: stateDirectory, pause: { _ in try await Task.sleep(for: .milliseconds(2)) })
    )
    if let user { marketplace.host.externalAccount = { user } }
    let events = marketplace.observe()
    listener.withLock { listener in
      listener = Task { [weak self, marketplace] in
        for await event in events {
          self?.told.withLock { $0.append(event) }
          if isDelivering { await Self.deliver(event, marketplace) }
        }
      }
    }
  }

  private static func deliver(_ event: MarketplaceEvent, _ marketplace: Marketplace) async {
    switch event {
    case .updated(let transactions):
      for done in transactions where done.isFinal { try? marketplace.finish(done.id) }
    case .userChanged(_, nil): try? await marketplace.logIn()
    default: break
    }
  }

  /// Makes the connection now.
  func connect() async throws { try await connection.connect() }

  /// What was told, in order.
  var events: [MarketplaceEvent] { told.withLock { $0 } }

  /// What was told while one user was there.
  struct Sitting: Sendable {
    /// The user's external identifier. Nil: nobody; or, in the first sitting, whoever was there
    /// before the observer came.
    var user: String?

    /// The service's identifiers of the transactions that were told.
    var transactionIDs: Set<String> = []
  }

  /// What was told to each user, in order.
  var sittings: [Sitting] {
    events.reduce(into: [Sitting()]) { sittings, event in
      if case .userChanged(_, let profile) = event {
        sittings.append(Sitting(user: profile?.externalUserID))
      }
      let last = sittings.count - 1
      sittings[last].transactionIDs.formUnion(event.transactions.compactMap(\.transactionID))
    }
  }

  /// The process ends, in the middle of whatever it does. The next may have its state from the
  /// answer on, and everything was told.
  func kill() async {
    await marketplace.shutDown()
    await listener.withLock { $0 }?.value
    await connection.close()
  }
}

extension MarketplaceEvent {
  /// The transactions that it is about.
  var transactions: [PaymentTransaction] {
    switch self {
    case .updated(let transactions), .removed(let transactions): transactions
    default: []
    }
  }
}
