import OnsideDomain
import RPC

/// The codes that were sent, and who may ask for another or try one: the rules of phone login,
/// without clocks, randomness or a network of their own.
///
/// Nothing here depends on whether a number has a profile.
struct PhoneBook: Sendable {
  /// A code that was sent.
  struct Challenge: Sendable {
    let number: PhoneNumber
    let appID: String
    let network: ClientNetwork
    let code: LoginCode
    var triesLeft: Int

    /// A login with the right code is under way: the code is used unless that fails.
    var isClaimed = false
  }

  private struct NumberFromNetwork: Hashable, Sendable {
    let number: PhoneNumber
    let network: ClientNetwork
  }

  private let policy: PhoneLoginPolicy
  private var challenges: PendingTable<Challenge>

  // A code that was sent counts until somebody has logged in with it.
  private var sent: AttemptBackoff<NumberFromNetwork>
  private var sentToNumber: AttemptRate<PhoneNumber>
  private var sentFromNetwork: AttemptRate<ClientNetwork>
  private var wrongFromNetwork: AttemptBackoff<ClientNetwork>

  init(policy: PhoneLoginPolicy) {
    self.policy = policy
    challenges = PendingTable(
      capacity: policy.capacity, networkCapacity: policy.networkCapacity)
    sent = policy.backoff(
      free: policy.freeCodes, first: 60, longest: 14_400, memory: 86_400)
    sentToNumber = AttemptRate(
      burst: policy.freeCodesPerNumber, interval: .seconds(3_600),
      capacity: policy.rememberedCapacity)
    sentFromNetwork = AttemptRate(
      burst: policy.freeCodesPerAddress, interval: .seconds(60),
      capacity: policy.rememberedCapacity)
    wrongFromNetwork = policy.backoff(
      free: policy.freeWrongCodesPerAddress, first: 1, longest: 600, memory: 3_600)
  }

  /// How many codes are waited for.
  var count: Int { challenges.count }

  /// How many numbers and addresses are remembered.
  var rememberedCount: Int {
    sent.count + sentToNumber.count + sentFromNetwork.count + wrongFromNetwork.count
  }

  /// How long a network has to wait before it may ask for a code for a number; nil: not at all.
  func wait(
    _ number: PhoneNumber, from network: ClientNetwork, now: MonotonicInstant
  ) -> Duration? {
    [
      sent.wait(NumberFromNetwork(number: number, network: network), now: now),
      sentToNumber.wait(number, now: now), sentFromNetwork.wait(network, now: now),
    ].compactMap { $0 }.max()
  }

  /// Notes a code that is about to be sent. Ask `wait` first.
  mutating func open(
    _ id: LoginID, _ code: LoginCode, for number: PhoneNumber, app: String,
    from network: ClientNetwork, now: MonotonicInstant
  ) {
    sent.failed(NumberFromNetwork(number: number, network: network), now: now)
    sentToNumber.note(number, now: now)
    sentFromNetwork.note(network, now: now)
    challenges.insert(
      id,
      Challenge(
        number: number, appID: app, network: network, code: code,
        triesLeft: max(1, policy.triesPerCode)),
      from: network, expiresAt: now.advanced(by: policy.codeLifetime), now: now)
  }

  /// Whether a code can still be used.
  func isUsable(_ id: LoginID, now: MonotonicInstant) -> Bool {
    guard let challenge = challenges.find(id, now: now) else { return false }
    return challenge.triesLeft > 0 && !challenge.isClaimed
  }
}

extension PhoneBook {
  /// What trying a code found.
  enum Check: Sendable {
    /// The code is right, and claimed: say what became of the login.
    case right(PhoneNumber)

    /// The code is wrong.
    case wrong(triesLeft: Int)

    /// There is no such code for this app, or not any more.
    case expired

    /// All tries of the code are used up.
    case spent

    /// Too many wrong codes came from this network: the code wasn't looked at.
    case limited(Duration)
  }

  /// Tries a code.
  mutating func check(
    _ id: LoginID?, _ code: String, app: String, from network: ClientNetwork,
    now: MonotonicInstant
  ) -> Check {
    let challenge = id.flatMap { challenges.find($0, now: now) }.flatMap { found in
      found.appID == app && !found.isClaimed ? found : nil
    }
    if let wait = wrongFromNetwork.wait(network, now: now),
      !isFirstTry(of: challenge, from: network)
    {
      return .limited(wait)
    }
    guard let id, let challenge else {
      wrongFromNetwork.failed(network, now: now)
      return .expired
    }
    guard challenge.triesLeft > 0 else { return .spent }
    guard challenge.code.matches(code) else {
      challenges.update(id) { $0.triesLeft -= 1 }
      wrongFromNetwork.failed(network, now: now)
      return .wrong(triesLeft: challenge.triesLeft - 1)
    }
    challenges.update(id) { $0.isClaimed = true }
    return .right(challenge.number)
  }

  /// Whoever shares an address with somebody who guesses has one try for a code of their own. That
  /// gives a guesser no more than one try for each code, and the number of codes is limited.
  private func isFirstTry(of challenge: Challenge?, from network: ClientNetwork) -> Bool {
    guard let challenge else { return false }
    return challenge.network == network && challenge.triesLeft == max(1, policy.triesPerCode)
  }

  /// The login with a right code has succeeded: the code is used.
  mutating func confirm(_ id: LoginID, now: MonotonicInstant) {
    guard let challenge = challenges.find(id, now: now) else { return }
    challenges.remove(id)
    sent.succeeded(NumberFromNetwork(number: challenge.number, network: challenge.network))
    sentToNumber.forget(challenge.number)
    sentFromNetwork.forgive(challenge.network)
  }

  /// The login with a right code has failed for another reason: the code can be used again.
  mutating func release(_ id: LoginID) {
    challenges.update(id) { $0.isClaimed = false }
  }

  /// The code couldn't be sent.
  mutating func cancel(_ id: LoginID) {
    challenges.remove(id)
  }
}
