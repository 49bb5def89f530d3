@testable import OnsideClient
import Synchronization

/// Takes down what an observer is told, and lets a test wait until it has come.
final class Recorder: Sendable {
  private struct State {
    var events: [MarketplaceEvent] = []
    var waiters: [(@Sendable ([MarketplaceEvent]) -> Bool, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ marketplace: Marketplace) {
    let events = marketplace.observe()
    task.withLock { task in
      task = Task { [weak self] in
        for await event in events { self?.take(event) }
      }
    }
  }

  deinit {
    task.withLock { $0?.cancel() }
  }

  /// Observes no more.
  func stop() async {
    let task = task.withLock { $0 }
    task?.cancel()
    await task?.value
  }

  /// Waits until everything was told, up to the end of the marketplace.
  func end() async {
    await task.withLock { $0 }?.value
  }

  private func take(_ event: MarketplaceEvent) {
    let ready: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let ready = state.waiters.filter { $0.0(events) }.map(\.1)
      state.waiters.removeAll { $0.0(events) }
      return ready
    }
    for waiter in ready { waiter.resume() }
  }

  var events: [MarketplaceEvent] { state.withLock { $0.events } }

  /// Every state of a transaction that was told, in order.
  var updates: [PaymentTransaction] { Self.updates(events) }

  private static func updates(_ events: [MarketplaceEvent]) -> [PaymentTransaction] {
    events.flatMap { event -> [PaymentTransaction] in
      if case .updated(let transactions) = event { transactions } else { [] }
    }
  }

  /// Waits until what was told fulfils a condition.
  func until(_ condition: @escaping @Sendable ([MarketplaceEvent]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if condition(state.events) { return true }
        state.waiters.append((condition, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Waits until a transaction was told in a state.
  func until(_ wanted: PaymentTransaction.State, count: Int = 1) async {
    await until { events in
      Self.updates(events).filter { $0.state == wanted }.count >= count
    }
  }
}

/// A presenter, a service and a marketplace for one test.
struct Shop {
  let service: FakeService
  let presenter: ScriptedPresenter
  let marketplace: Marketplace

  /// Where what is kept lies; a second shop with the same one is the next launch of the app.
  let store: any StateStore

  init(
    service: FakeService = FakeService(), presenter: ScriptedPresenter = ScriptedPresenter(),
    user: String? = "anna", store: any StateStore = MemoryStateStore(),
    callbackScheme: String? = nil
  ) throws {
    self.service = service
    self.presenter = presenter
    self.store = store
    marketplace = Marketplace(
      backend: try service.client(), presenter: presenter, store: store,
      configuration: Self.configuration(callbackScheme))
    if let user { marketplace.host.externalAccount = { user } }
  }

  /// Tries again at once, and gives the store app all the time there is.
  static func configuration(_ scheme: String? = nil) -> Marketplace.Configuration {
    Marketplace.Configuration(
      callbackScheme: scheme, eventDelay: .zero,
      pause: { duration in
        if duration >= .seconds(60) { return try await Task.sleep(for: .seconds(3_600)) }
        await Task.yield()
        try Task.checkCancellation()
      }, now: { 1_000 })
  }

  func product(_ id: String = "coins") async throws -> ProductRecord {
    let list = try await marketplace.products([id])
    guard let product = list.products.first else { throw Missing() }
    return product
  }

  struct Missing: Error {}
}

/// The error that a body throws.
func problem(_ body: () async throws -> Void) async -> OnsideError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? OnsideError
  }
}
