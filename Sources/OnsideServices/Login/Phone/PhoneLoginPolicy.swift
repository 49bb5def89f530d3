/// What phone login allows.
///
/// A code is one of a million. Whoever asks for as many as the limits let them, from any number of
/// addresses, has 44 codes for a number on the first day and 24 on each later one, with five tries
/// each: a chance of one in 8,000 to guess one in a day.
public struct PhoneLoginPolicy: Sendable, Hashable {
  /// How long a code can be used.
  public var codeLifetime = Duration.seconds(300)

  /// Wrong tries after which a code is of no use any more.
  public var triesPerCode = 5

  /// Codes for one number from one address before it has to wait: a minute at first, then twice as
  /// long each time, up to four hours. A login, or a day without a code, begins anew.
  public var freeCodes = 3

  /// Codes for one number at once, wherever it is asked from, and then one an hour. More than one
  /// address can use up, so that nobody alone can keep a number's owner out. A login begins anew.
  public var freeCodesPerNumber = 20

  /// Codes from one address at once, for whatever numbers, and then one a minute. Those that a
  /// login has followed don't count: many people may share an address.
  public var freeCodesPerAddress = 30

  /// Wrong codes from one address: a second, up to ten minutes; an hour without one begins anew.
  /// Others of the same address still have one try for each code that was sent to them.
  public var freeWrongCodesPerAddress = 30

  /// The most codes that are waited for at a time. When there are more, the address that waits for
  /// the most loses its oldest.
  public var capacity = 65_536

  /// The most numbers and addresses whose waits are remembered, each.
  public var rememberedCapacity = 65_536

  /// The defaults.
  public init() {}
}

extension PhoneLoginPolicy {
  /// The most codes that one address may wait for at a time.
  var networkCapacity: Int { max(1, min(1_024, capacity / 4)) }

  func backoff<Key>(
    free: Int, first: Int, longest: Int, memory: Int
  ) -> AttemptBackoff<Key> {
    var policy = AttemptBackoff<Key>.Policy()
    // The wait begins with the last that is free.
    policy.freeFailures = max(0, free - 1)
    policy.firstWait = .seconds(first)
    policy.longestWait = .seconds(longest)
    policy.memory = .seconds(memory)
    policy.capacity = rememberedCapacity
    return AttemptBackoff(policy: policy)
  }
}
