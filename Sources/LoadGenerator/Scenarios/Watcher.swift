import LoadReporting
import OnsideClient
import RPC
import RPCCore
import RPCTransport

/// One user who watches their transactions, on a stream of their own. Confined to its loop.
final class Watcher: @unchecked Sendable {
  let customer: OnsideClient
  var ledger = WatchLedger()

  /// Streams that were begun again because the one before had ended.
  private(set) var reopened = 0

  private let loop: EventLoop
  private let onProblem: (String?) -> Void
  private var cursor: String?
  private var stream: Task<Void, Never>?
  private var opening: CheckedContinuation<OnsideError?, Never>?
  private var awaited: (event: WatchLedger.Event, waiter: CheckedContinuation<UInt64?, Never>)?
  private var timer: LoopTimer?

  /// - Parameter onProblem: told of each event, with what is wrong with it.
  init(_ customer: OnsideClient, on loop: EventLoop, onProblem: @escaping (String?) -> Void) {
    self.customer = customer
    self.loop = loop
    self.onProblem = onProblem
  }

  /// Opens the stream; returns when it has begun.
  ///
  /// - Returns: Why it couldn't be opened; nil: it was.
  func open() async -> OnsideError? {
    await withCheckedContinuation { continuation in
      opening = continuation
      stream = Task(executorPreference: loop) { [weak self] in await self?.watch() }
    }
  }

  /// Ends the stream.
  func close() {
    stream?.cancel()
    stream = nil
    timer?.disarm()
    timer = nil
    give(nil)
  }

  /// Watches, and begins again where it was when the stream ends.
  private func watch() async {
    while !Task.isCancelled {
      do throws(OnsideError) {
        try await customer.watch(from: cursor) { [weak self] notice in self?.take(notice) }
      } catch {
        if let opening {
          self.opening = nil
          return opening.resume(returning: error)
        }
        reopened += 1
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  private func take(_ notice: WatchNotice) {
    cursor = notice.cursor
    switch notice.event {
    case .begun:
      opening?.resume(returning: nil)
      opening = nil
    case .transaction(let record):
      let event = WatchLedger.Event(
        transaction: record.id, state: "\(record.state)", isFinished: record.isFinished)
      onProblem(ledger.take(event))
      if awaited?.event == event { give(ProcessClock.monotonic()) }
    case .storefront: break
    }
  }

  /// Waits for an event.
  ///
  /// - Parameter until: an instant of the monotonic clock.
  /// - Returns: When it came; nil: it hasn't. Of one that was there already: now.
  func wait(for event: WatchLedger.Event, until: UInt64) async -> UInt64? {
    if ledger.has(event) { return ProcessClock.monotonic() }
    return await withCheckedContinuation { continuation in
      awaited = (event, continuation)
      let timer = timer ?? loop.makeTimer { [weak self] in self?.give(nil) }
      self.timer = timer
      timer.arm(at: MonotonicInstant(nanoseconds: Int64(clamping: until)))
    }
  }

  private func give(_ instant: UInt64?) {
    guard let (_, waiter) = awaited else { return }
    awaited = nil
    timer?.disarm()
    waiter.resume(returning: instant)
  }
}
