/// The fault rules of a test environment, and how often each has fired.
///
/// A plain value: it decides, and does nothing by itself.
struct FaultRules: Sendable {
  /// The most rules at a time.
  static let limit = 1_000

  /// Oldest first.
  private(set) var faults: [Fault] = []

  /// The number of the rule that was added last.
  private var lastNumber: UInt64 = 0

  private static let prefix = "fault-"

  /// What rules may ask about the calls of a method, so that nobody looks up what none asks for.
  struct Questions: OptionSet {
    let rawValue: UInt8

    static let profile = Questions(rawValue: 1)
    static let externalUser = Questions(rawValue: 2)
  }

  /// Adds a rule, which gets an identifier and hasn't fired yet; nil: there are as many as there
  /// may be.
  mutating func add(_ fault: Fault) -> Fault? {
    guard faults.count < Self.limit else { return nil }
    lastNumber += 1
    var added = fault
    added.id = Self.prefix + String(lastNumber)
    added.matched = 0
    added.fired = 0
    faults.append(added)
    return added
  }

  /// Removes all rules.
  ///
  /// - Returns: How many there were.
  mutating func removeAll() -> Int {
    defer { faults = [] }
    return faults.count
  }

  /// Removes a rule.
  ///
  /// - Returns: Whether it was there; nil: no rule ever had this identifier.
  mutating func remove(_ id: String) -> Bool? {
    if let index = faults.firstIndex(where: { $0.id == id }) {
      faults.remove(at: index)
      return true
    }
    guard id.hasPrefix(Self.prefix), let number = UInt64(id.dropFirst(Self.prefix.count)),
      (1...max(lastNumber, 1)).contains(number), lastNumber > 0
    else { return nil }
    return false
  }

  /// What has to be known about a call of a method.
  func questions(about method: String) -> Questions {
    var questions: Questions = []
    for fault in faults where fault.match.method == nil || fault.match.method == method {
      if fault.match.profileID != nil { questions.insert(.profile) }
      if fault.match.externalUserID != nil { questions.insert(.externalUser) }
    }
    return questions
  }

  /// Counts a call. The oldest rule that matches it and has something left to do fires; those
  /// behind that one don't see the call.
  ///
  /// - Returns: The rule that fires; nil: the call goes on.
  mutating func decide(_ call: FaultCandidate) -> Fault? {
    for index in faults.indices where faults[index].match.matches(call) {
      faults[index].matched += 1
      guard faults[index].isDue else { continue }
      faults[index].fired += 1
      return faults[index]
    }
    return nil
  }
}

extension Fault {
  /// Whether it fires for the call that was counted last.
  fileprivate var isDue: Bool {
    matched > skip && (count == 0 || fired < count)
  }
}
