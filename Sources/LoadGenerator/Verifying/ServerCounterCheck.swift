import LoadReporting
import OnsideProto

/// Compares what the servers have counted during a load with what the generator did: LG-07.
///
/// Of each method they must have started what they answered here, and at most those calls more
/// whose reply was lost; and they must have answered with OK, and otherwise, what came as that.
/// Nobody else may use the servers meanwhile.
struct ServerCounterCheck {
  /// The check's result, and a remark for each method with lost replies.
  var result = CheckResult(name: "server_counters_equal", title: "server counters equal")
  private(set) var remarks: [String] = []

  /// - Parameters:
  ///   - exchanges: what the generator did, by the method's path.
  ///   - before: the servers' states before the load.
  ///   - after: the states after it.
  init(
    _ exchanges: [String: ExchangeCounts], before: [GetServerStatusResponse],
    after: [GetServerStatusResponse]
  ) {
    let (old, new) = (Self.counts(before), Self.counts(after))
    for (method, own) in exchanges.sorted(by: { $0.key < $1.key }) {
      let server = new[method, default: Counts()].since(old[method] ?? Counts())
      result.checked += own.started
      compare(method, "started", server.started, own.ok + own.refused, own.lost)
      compare(method, "answered with OK", server.ok, own.ok, own.lost)
      compare(method, "answered otherwise", server.failed, own.refused, own.lost)
      if own.lost > 0 {
        remarks.append(
          "lost replies of \(method): \(own.lost); the server has started "
            + "\(server.started - own.ok - own.refused) of those calls")
      }
    }
  }

  private mutating func compare(
    _ method: String, _ what: String, _ server: Int, _ own: Int, _ lost: Int
  ) {
    guard server < own || server > own + lost else { return }
    let most = lost > 0 ? " to \(own + lost)" : ""
    result.violate(
      "\(method): the server has \(what) \(server) calls, and here it is \(own)\(most)")
  }

  private struct Counts {
    var started = 0
    var ok = 0
    var failed = 0

    func since(_ earlier: Counts) -> Counts {
      Counts(
        started: started - earlier.started, ok: ok - earlier.ok, failed: failed - earlier.failed)
    }
  }

  private static func counts(_ statuses: [GetServerStatusResponse]) -> [String: Counts] {
    var counts: [String: Counts] = [:]
    for method in statuses.flatMap(\.methods) {
      var sum = counts[method.method] ?? Counts()
      sum.started += Int(clamping: method.started)
      sum.ok += Int(clamping: method.ok)
      sum.failed += method.failed.reduce(0) { $0 + Int(clamping: $1.count) }
      counts[method.method] = sum
    }
    return counts
  }
}
