import LoadReporting
import RPCCore
import RPCTransport

/// One simulated client's place: it makes one call after the other, never two at once. Of a mix it
/// has a slot for each scenario that is drawn by weight, of which at most one is busy, or the one
/// of the scenario that it belongs to. Confined to its loop.
final class Place {
  /// In the order of the mix.
  let slots: [Slot]

  /// Which of the run's places it is.
  let number: Int

  /// How many calls were drawn from its slots.
  private var calls: UInt64 = 0

  private var random: SeededRandom
  private var timer: LoopTimer?

  /// - Parameter seed: what its think times follow from.
  init(_ slots: [Slot], number: Int, seed: UInt64) {
    self.slots = slots
    self.number = number
    random = SeededRandom(seed: seed, stream: 0x7417_0000 ^ UInt64(number))
    for slot in slots { slot.belong(to: self) }
  }

  /// How long it thinks before the next call.
  func think(_ time: ThinkTime) -> UInt64 { time.draw(&random) }

  /// Which call of a closed loop's mix the next one is: no two places have the same numbers.
  func takeCallNumber() -> UInt64 {
    defer { calls &+= 1 }
    return UInt64(number) << 40 ^ calls
  }

  /// Calls `work` at that instant, once.
  func wait(until instant: UInt64, on loop: EventLoop, then work: @escaping () -> Void) {
    let timer = timer ?? loop.makeTimer(work)
    self.timer = timer
    timer.arm(at: MonotonicInstant(nanoseconds: Int64(clamping: instant)))
  }

  /// Ends its waiting; false: it doesn't wait.
  func endWaiting() -> Bool {
    guard let timer, timer.isArmed else { return false }
    timer.disarm()
    return true
  }

  /// Lets go of what refers to it.
  func end() {
    _ = endWaiting()
    timer = nil
    for slot in slots {
      slot.end()
      slot.belong(to: nil)
    }
  }
}
