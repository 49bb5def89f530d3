import Logging
import OnsideStore
import RPC
import Synchronization

/// The fault rules of a server. While there are none, calls pay for a look at a flag.
final class Faults: Sendable {
  /// What calls pass through while there are rules.
  let interceptor: SwitchedInterceptor

  private let rules: FaultInterceptor
  private let log: Logger

  init(store: any Store, log: Logger) {
    self.log = log
    rules = FaultInterceptor(store: store)
    interceptor = SwitchedInterceptor(rules)
  }

  /// All rules, oldest first.
  var all: [Fault] { rules.rules.withLock { $0.faults } }

  /// Adds a rule; nil: there are as many as there may be.
  func add(_ fault: Fault) -> Fault? {
    guard let added = change({ $0.add(fault) }) else { return nil }
    // Whoever wonders later why calls failed finds it here.
    log.warning(
      "calls fail by a fault rule from now on",
      ["fault": .string(added.id), "method": .string(added.match.method ?? "any")])
    return added
  }

  /// Removes all rules.
  func removeAll() -> Int {
    let count = change { $0.removeAll() }
    log.info("all fault rules were removed", ["count": .count(count)])
    return count
  }

  /// Removes a rule; false: it was removed already; nil: no rule ever had this identifier.
  func remove(_ id: String) -> Bool? {
    let wasThere = change { $0.remove(id) }
    if wasThere == true { log.info("a fault rule was removed", ["fault": .string(id)]) }
    return wasThere
  }

  private func change<Result>(_ body: (inout FaultRules) -> sending Result) -> Result {
    rules.rules.withLock { rules in
      defer { interceptor.isOn = !rules.faults.isEmpty }
      return body(&rules)
    }
  }
}
