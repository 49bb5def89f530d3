import RPC

extension ShareExchanges {
  /// What an agent did, as it is sent.
  init(_ exchanges: [String: ExchangeCounts]) {
    self.init(
      methods: exchanges.sorted { $0.key < $1.key }.map { method, counts in
        MethodExchanges(
          method: method, started: UInt64(clamping: counts.started),
          ok: UInt64(clamping: counts.ok),
          refused: UInt64(clamping: counts.refused), unstarted: UInt64(clamping: counts.unstarted))
      })
  }

  /// What an agent sent, by method.
  ///
  /// - Throws: SHARE_INVALID for counts that can't be added up, or too many methods.
  func counts() throws(RPCError) -> [String: ExchangeCounts] {
    guard methods.count <= AgentLimits.methods else {
      throw AgentError.invalid("\(methods.count) methods: at most \(AgentLimits.methods)")
    }
    var exchanges: [String: ExchangeCounts] = [:]
    for method in methods {
      let counts = [method.started, method.ok, method.refused, method.unstarted]
      guard counts.allSatisfy({ $0 < 1 << 53 }) else {
        throw AgentError.invalid("a count of \(method.method) is too large")
      }
      exchanges[method.method, default: ExchangeCounts()].add(
        ExchangeCounts(
          started: Int(counts[0]), ok: Int(counts[1]), refused: Int(counts[2]),
          unstarted: Int(counts[3])))
    }
    return exchanges
  }
}
