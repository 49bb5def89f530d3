import OnsideDomain
import RPC
import Synchronization

@testable import OnsideClient

/// Whether a process is still there. Once it was killed, nothing of it reaches disk or service.
final class Life: Sendable {
  private let isOver = Mutex(false)

  func end() { isOver.withLock { $0 = true } }

  /// Does something that a killed process doesn't do; false: it was killed.
  func whileAlive(_ body: () -> Void) -> Bool {
    isOver.withLock { isOver in
      if !isOver { body() }
      return !isOver
    }
  }

  var isAlive: Bool { !isOver.withLock { $0 } }
}

/// A disk that takes nothing more when its process is killed.
private final class Disk: StateStore {
  private let memory: MemoryStateStore
  private let life: Life
  private let saved: @Sendable () -> Void

  init(_ memory: MemoryStateStore, _ life: Life, saved: @escaping @Sendable () -> Void) {
    (self.memory, self.life, self.saved) = (memory, life, saved)
  }

  private static let killed = OnsideError(.storeFailed, "killed")

  func load(_ name: String) async throws(OnsideError) -> [UInt8]? {
    try await memory.load(name)
  }

  func save(_ name: String, revision: UInt64, _ bytes: [UInt8]) async throws(OnsideError) {
    guard life.isAlive else { throw Self.killed }
    try await memory.save(name, revision: revision, bytes)
    saved()
  }

  func remove(_ name: String) async throws(OnsideError) {
    guard life.isAlive else { throw Self.killed }
    try await memory.remove(name)
  }

  func close() async {}
}

/// A connection over which nothing more goes when its process is killed.
private final class Line: CallInvoker {
  private let base: any CallInvoker
  private let life: Life

  init(_ base: any CallInvoker, _ life: Life) {
    (self.base, self.life) = (base, life)
  }

  var interceptors: [any ClientInterceptor] { base.interceptors }

  func start(_ call: OutgoingCall) {
    if !life.whileAlive({ base.start(call) }) { call.failed(RPCError(.unavailable, "killed")) }
  }

  func cancel(_ call: OutgoingCall) { base.cancel(call) }
}

/// One run of an app, with everything that its observer was told.
final class Launch: Sendable {
  let marketplace: Marketplace
  let recorder: Recorder
  private let life = Life()
  private let changes = Changes()

  init(
    _ invoker: any CallInvoker, _ memory: MemoryStateStore, user: String,
    configuration: Marketplace.Configuration = Shop.configuration()
  ) {
    let changes = changes
    marketplace = Marketplace(
      backend: OnsideClient(
        invoker: Line(invoker, life),
        configuration: .init(appID: "com.example.shop", purchaseAttempts: 1)),
      presenter: ScriptedPresenter(), store: Disk(memory, life) { changes.happened() },
      configuration: configuration)
    marketplace.host.externalAccount = { user }
    recorder = Recorder(marketplace)
  }

  /// The process ends, in the middle of whatever it does.
  func kill() {
    life.end()
    marketplace.close()
  }

  /// Does what an app does until it is killed: delivers everything and finishes it, and signs the
  /// user in again when the session was lost.
  func deliver() {
    let events = marketplace.observe()
    Task { [marketplace, changes] in
      for await event in events {
        switch event {
        case .updated(let transactions):
          for done in transactions where done.isFinal { try? marketplace.finish(done.id) }
        case .userChanged(_, nil): try? await marketplace.logIn()
        default: break
        }
        changes.happened()
      }
    }
  }

  /// Waits until something is so; looked at after each event and each write of the disk.
  func until(_ condition: @Sendable () -> Bool) async {
    await changes.until(condition)
  }
}

/// Wakes whoever waits for a condition when it may have come true.
private final class Changes: Sendable {
  private struct State {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func happened() {
    let waiters = state.withLock { state in
      state.count += 1
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func until(_ condition: @Sendable () -> Bool) async {
    while true {
      let count = state.withLock { $0.count }
      if condition() { return }
      await change(after: count)
    }
  }

  private func change(after count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count == count { state.waiters.append(continuation) }
        return state.count != count
      }
      if isThere { continuation.resume() }
    }
  }
}
