import LoadReporting
import RPCTransport

@testable import LoadGenerator

/// A server and a clock that a test moves: calls are answered in their order, one after the other,
/// and nothing takes real time.
final class Simulation: @unchecked Sendable {
  /// When the server answers nothing, in nanoseconds of each period; nil: never.
  struct Stall {
    var period: UInt64
    var begin: UInt64
  }

  private(set) var now: UInt64 = 0
  private(set) var begun: [(at: UInt64, part: Int)] = []
  var mostUnderWay = 0
  private var alarmAt: UInt64?
  private var answers = Ring<(at: UInt64, slot: Slot)>()
  private var nextAnswer: (at: UInt64, slot: Slot)?
  private var free: UInt64 = 0
  private let service: UInt64
  private let stall: Stall?

  init(service: UInt64, stall: Stall? = nil) {
    self.service = service
    self.stall = stall
  }

  /// Alarms of the simulated clock.
  private final class SimulatedAlarm: Alarm {
    unowned let simulation: Simulation

    init(_ simulation: Simulation) { self.simulation = simulation }

    func arm(at instant: UInt64) { simulation.alarmAt = instant }
    func disarm() { simulation.alarmAt = nil }
  }

  private final class SimulatedSlot: Slot, @unchecked Sendable {
    unowned let simulation: Simulation
    let part: Int

    init(_ lane: LoadLane, _ simulation: Simulation, part: Int) {
      self.simulation = simulation
      self.part = part
      super.init(lane)
    }

    override func begin() { simulation.submit(self, part) }
  }

  private func submit(_ slot: Slot, _ part: Int) {
    begun.append((now, part))
    var start = max(now, free)
    if let stall, start % stall.period >= stall.begin {
      start += stall.period - start % stall.period
    }
    free = start + service
    answers.append((free, slot))
    if nextAnswer == nil { nextAnswer = answers.popFirst() }
    mostUnderWay = max(mostUnderWay, answers.count + 1)
  }

  /// Makes a whole load and gives what was found.
  ///
  /// - Parameter stopAt: the run is stopped from outside at that instant.
  func run(
    _ plan: LoadPlan, clients: Int, loop: EventLoop, stopAt: UInt64? = nil
  ) -> LoadDriver {
    let lanes = plan.parts.map { _ in LoadLane(index: 0, loop: loop, steps: [], checks: []) }
    let driver = LoadDriver(
      index: 0, loop: loop, lanes: lanes, rules: plan.rules(loop: 0, of: 1),
      clock: { [unowned self] in now })
    driver.places = (0..<clients).map { number in
      Place(
        lanes.enumerated().map { SimulatedSlot($0.element, self, part: $0.offset) },
        number: number, seed: plan.seed)
    }
    let opens = plan.warmup.inNanoseconds
    let length = plan.duration?.inNanoseconds ?? 0
    let window = RunWindow(
      opens: opens, closes: opens + length, counts: plan.isOpenLoop ? .plans : .answers)
    let arrivals =
      plan.isOpenLoop ? LaneArrivals(plan, begins: 0, opens: opens, lane: 0, of: 1) : nil
    driver.start(
      window, mix: plan.scenarioMix, arrivals: arrivals, alarm: SimulatedAlarm(self)
    ) {}
    while step(driver, stopAt) {}
    return driver
  }

  /// The next thing that happens; false: nothing does.
  private func step(_ driver: LoadDriver, _ stopAt: UInt64?) -> Bool {
    let next = min(alarmAt ?? .max, nextAnswer?.at ?? .max)
    if let stopAt, now < stopAt, next >= stopAt {
      now = stopAt
      driver.stop(now: now)
      return true
    }
    if let answer = nextAnswer, answer.at == next {
      now = max(now, next)
      nextAnswer = answers.popFirst()
      answer.slot.succeed(now: now)
    } else if alarmAt != nil {
      now = max(now, next)
      alarmAt = nil
      driver.alarmFired()
    } else {
      return false
    }
    return true
  }
}
