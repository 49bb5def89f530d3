import CSystemFaults
import Glibc

/// How an exchange went: with one success or one error; whatever else is a mistake, and said with
/// `FaultRuns.fail`.
public struct ExchangeOutcome {
  /// Its error; nil: it succeeded.
  public var error: String?

  /// An outcome; nil for success.
  public init(error: String?) {
    self.error = error
  }
}

/// Exchanges in which one system call fails. The first broken rule ends the process.
public enum FaultRuns {
  /// Runs every fault of an exchange: the first such call fails, then the second, and so on until
  /// an exchange has fewer calls; prints a line each. Nothing is connected before.
  /// - Parameter exchange: runs one to its end; its descriptors are waited for afterwards.
  public static func runAll(_ exchange: () async -> ExchangeOutcome) async {
    // Once without a failure: what is set up at first use, or by a loop that has just begun, is
    // there afterwards.
    _ = await exchange()
    let descriptors = settledDescriptors()
    for fault in Fault.all { await run(fault, descriptors, exchange) }
  }

  private static func run(
    _ fault: Fault, _ descriptors: Int32, _ exchange: () async -> ExchangeOutcome
  ) async {
    var nth: Int32 = 1
    var succeeded = 0
    while true {
      csystem_arm(fault.call, nth, fault.error)
      let outcome = await exchange()
      let hasFailed = csystem_disarm() > 0
      let name = "\(fault.name), call \(nth)"
      if let error = outcome.error {
        if fault.isHarmless || !hasFailed { fail("\(name): nothing serious, yet: \(error)") }
      } else {
        succeeded += 1
      }
      waitForDescriptors(descriptors, name)
      if csystem_wrong_closes() > 0 { fail("\(name): a descriptor was closed twice") }
      guard hasFailed else { break }
      nth += 1
    }
    print("\(fault.name): \(nth - 1) failed, \(succeeded - 1) exchanges succeeded nevertheless")
  }

  /// How many descriptors are open, once that hasn't changed for half a second.
  private static func settledDescriptors() -> Int32 {
    var count = csystem_open_descriptors()
    var unchanged = 0
    while unchanged < 50 {
      usleep(10_000)
      let now = csystem_open_descriptors()
      unchanged = now == count ? unchanged + 1 : 0
      count = now
    }
    return count
  }

  /// Both sides let go of what they held, if not at once.
  private static func waitForDescriptors(_ count: Int32, _ name: String) {
    for _ in 0..<100_000 {
      if csystem_open_descriptors() == count { return }
      usleep(300)
    }
    fail("\(name): \(csystem_open_descriptors()) descriptors are open, before it were \(count)")
  }

  /// Says what is wrong, and ends the process.
  public static func fail(_ text: String) -> Never {
    print("FAILED \(text)")
    exit(1)
  }
}
