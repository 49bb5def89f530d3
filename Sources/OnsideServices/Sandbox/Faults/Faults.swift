import OnsideStore
import RPC
import Synchronization

/// The fault rules of a server. While there are none, calls pay for a look at a flag.
final class Faults: Sendable {
  /// What calls pass through while there are rules.
  let interceptor: SwitchedInterceptor

  private let rules: FaultInterceptor

  init(store: any Store) {
    rules = FaultInterceptor(store: store)
    interceptor = SwitchedInterceptor(rules)
  }

  /// All rules, oldest first.
  var all: [Fault] { rules.rules.withLock { $0.faults } }

  /// Adds a rule; nil: there are as many as there may be.
  func add(_ fault: Fault) -> Fault? { change { $0.add(fault) } }

  /// Removes all rules.
  func removeAll() -> Int { change { $0.removeAll() } }

  /// Removes a rule; false: it was removed already; nil: no rule ever had this identifier.
  func remove(_ id: String) -> Bool? { change { $0.remove(id) } }

  private func change<Result>(_ body: (inout FaultRules) -> sending Result) -> Result {
    rules.rules.withLock { rules in
      defer { interceptor.isOn = !rules.faults.isEmpty }
      return body(&rules)
    }
  }
}
