import LoadReporting

/// Fingerprints of what has to be different on all agents, few enough to be sent.
///
/// A sample is taken by value: those whose lowest `zeroBits` bits are 0. What two agents have in
/// common is then in both samples or in neither, so that a sample finds each repetition with the
/// probability of its share. Up to a million of each agent all are compared.
struct FingerprintSample: Sendable, Equatable {
  /// How many low bits are 0 in all of them.
  var zeroBits: Int

  var values: [UInt64]

  /// As many of a log's as may be sent.
  init(_ log: FingerprintLog, limit: Int = AgentLimits.fingerprints) {
    let all = log.values
    zeroBits = 0
    values = all
    while values.count > limit, zeroBits < 63 {
      zeroBits += 1
      let mask = UInt64(1) << UInt64(zeroBits) &- 1
      values = values.filter { $0 & mask == 0 }
    }
  }

  init(zeroBits: Int, values: [UInt64]) {
    self.zeroBits = zeroBits
    self.values = values
  }

  /// Those of them that are in a sample of more zero bits.
  func reduced(to zeroBits: Int) -> [UInt64] {
    let mask = UInt64(1) << UInt64(min(63, zeroBits)) &- 1
    return values.filter { $0 & mask == 0 }
  }

  /// What comes more than once among the samples of different agents; what one agent has twice is
  /// its own check's business.
  static func check(_ name: String, _ samples: [FingerprintSample]) -> CheckResult {
    let zeroBits = samples.map(\.zeroBits).max() ?? 0
    var all = FingerprintLog(limit: .max)
    var within = 0
    for sample in samples {
      var own = FingerprintLog(limit: .max)
      for value in sample.reduced(to: zeroBits) {
        own.append(fingerprint: value)
        all.append(fingerprint: value)
      }
      within += own.duplicates()
    }
    let title = name.split(separator: "_").joined(separator: " ") + " across agents"
    let share = zeroBits == 0 ? "" : ", a sample of 1 in \(UInt64(1) << UInt64(zeroBits))"
    var check = CheckResult(name: name + "_across_agents", title: title + share)
    check.checked = all.count
    check.violations = all.duplicates() - within
    if check.violations > 0 { check.sample = "\(check.violations) came to more than one agent" }
    return check
  }
}
