import LoadReporting
import RPCCore
import RPCTransport

/// Calls somebody at an instant; in tests, of a clock that they move.
protocol Alarm: AnyObject {
  /// In place of the instant that it was set to before.
  func arm(at instant: UInt64)
  func disarm()
}

/// A timer of an event loop.
final class LoopAlarm: Alarm {
  private let timer: LoopTimer

  init(_ loop: EventLoop, _ work: @escaping () -> Void) {
    timer = loop.makeTimer(work)
  }

  func arm(at instant: UInt64) {
    timer.arm(at: MonotonicInstant(nanoseconds: Int64(clamping: instant)))
  }

  func disarm() { timer.disarm() }
}

// The open loop: calls come when the plan says so. Those that find a free simulated client begin at
// once; the others wait for one, in their order, or are skipped. Nothing that a server does moves
// the plan.

extension LoadDriver {
  /// Calls that are begun before answers are looked at again, when many are due at once.
  private static let mostAtOnce = 256

  /// Calls that may wait for their turn; those beyond never get it.
  private static let mostWaiting = 1 << 20

  func startOpenLoop(_ arrivals: LaneArrivals, _ alarm: any Alarm) {
    self.arrivals = arrivals
    self.alarm = alarm
    for place in places { idle.append(place) }
    upcoming = self.arrivals?.next()
    alarmFired()
  }

  /// One or more calls are due, or the window closes.
  func alarmFired() {
    guard !isStopped else { return }
    var now = clock()
    var taken = 0
    while let arrival = upcoming, arrival.planned <= now, taken < LoadDriver.mostAtOnce {
      upcoming = arrivals?.next()
      take(arrival, now: now)
      taken += 1
      // Beginning a call takes a while: the next one is as late as it is.
      now = clock()
    }
    if now >= window.closes { return closeOpenLoop(now: now) }
    alarm?.arm(at: min(upcoming?.planned ?? .max, window.closes))
    closeIfMade(now: now)
  }

  /// The calls that were to be made are made: the window needn't be waited for.
  private func closeIfMade(now: UInt64) {
    guard upcoming == nil, waiting.isEmpty, inFlight == 0, arrivals?.isCutShort == true else {
      return
    }
    closeOpenLoop(now: now)
  }

  private func take(_ arrival: Arrival, now: UInt64) {
    let isMeasured = arrival.planned >= window.opens
    recent.planned += 1
    if isMeasured {
      load.planned += 1
      dispatchLag.record(now &- arrival.planned)
    }
    guard waiting.isEmpty, inFlight < rules.maxInFlight, let place = idle.popFirst() else {
      if rules.overload == .queue { return wait(arrival) }
      recent.skipped += 1
      if isMeasured { load.skipped += 1 }
      return
    }
    beginCall(arrival, place, now: now)
  }

  private func wait(_ arrival: Arrival) {
    if waiting.count < LoadDriver.mostWaiting { return waiting.append(arrival) }
    if arrival.planned >= window.opens { load.unsent += 1 }
  }

  private func beginCall(_ arrival: Arrival, _ place: Place, now: UInt64) {
    if arrival.planned >= window.opens {
      let lag = now &- min(now, arrival.planned)
      load.sent += 1
      load.lag.record(lag)
      if lag > load.lateAfter { load.late += 1 }
    }
    begin(place.slots[arrival.part], planned: arrival.planned, now: now)
  }

  /// A place may make the next call that waits.
  func becameIdle(_ place: Place, now: UInt64) {
    idle.append(place)
    guard !isStopped else { return endIfQuiet() }
    if waiting.isEmpty { return closeIfMade(now: now) }
    // A call that fails at once comes back here from within `begin`.
    guard !isPumping else { return }
    isPumping = true
    var now = now
    while !waiting.isEmpty, inFlight < rules.maxInFlight, let place = idle.popFirst() {
      guard let arrival = waiting.popFirst() else { break }
      beginCall(arrival, place, now: now)
      now = clock()
    }
    isPumping = false
  }

  /// The time of the plan is over: what hasn't begun by now isn't begun.
  func closeOpenLoop(now: UInt64) {
    guard !isStopped else { return }
    // Those that were due by now and that the loop was too late to look at, for they were planned.
    while let arrival = upcoming, arrival.planned < min(now, window.closes) {
      upcoming = arrivals?.next()
      wait(arrival)
      recent.planned += 1
      if arrival.planned >= window.opens { load.planned += 1 }
    }
    isStopped = true
    upcoming = nil
    alarm?.disarm()
    while let arrival = waiting.popFirst() {
      if arrival.planned >= window.opens { load.unsent += 1 }
    }
    load.inFlightAtEnd = inFlight
    endIfQuiet()
  }

  private func endIfQuiet() {
    if isStopped, inFlight == 0 { end() }
  }
}
