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
  /// Runs exchanges in which the first such call fails, then the second, and so on until an
  /// exchange has fewer calls; prints a line.
  /// - Parameter exchange: runs one to its end; then waits for its descriptors.
  public static func run(_ fault: Fault, _ exchange: () async -> ExchangeOutcome) async {
    let descriptors = csystem_open_descriptors()
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
