import RPCProto

/// How each service is.
struct HealthTable: Sendable {
  private(set) var statuses: [String: RPCServingStatus]
  private(set) var isDraining = false

  init(services: [String]) {
    statuses = Dictionary(services.map { ($0, .serving) }) { first, _ in first }
  }

  /// - Returns: True when that is a change.
  mutating func set(_ status: RPCServingStatus, for service: String) -> Bool {
    guard !isDraining else { return false }
    return statuses.updateValue(status, forKey: service) != status
  }

  /// Nothing serves any more, for good.
  mutating func drain() {
    isDraining = true
    statuses = statuses.mapValues { _ in .notServing }
  }
}
