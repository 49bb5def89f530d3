import LoadReporting
import RPC

/// Makes sessions: of new users, or of known ones.
final class SessionSlot: Slot, @unchecked Sendable {
  /// The check that all of them together make.
  static let check = CheckResult(name: "session_tokens_unique", title: "session tokens unique")

  private let client: any LoadClient
  private let areNew: Bool
  private let users: SharedTurn
  private var call: SessionCall?
  private var asking: ServiceTimeTurn
  private var calls: UInt64 = 0

  init(_ lane: LoadLane, client: any LoadClient, users: SharedTurn, context: ScenarioContext) {
    self.client = client
    self.users = users
    areNew = context.plan.scenario == .sessionCreate
    let options = context.options()
    asking = ServiceTimeTurn(context.plan.serviceTime, options: options)
    super.init(lane)
    call = SessionCall(
      appID: context.plan.appID, names: context.names, options: options,
      answered: { [self] in take($0) }, refused: { [self] in fail($0) })
  }

  override func begin() {
    guard let call else { return }
    call.user = users.turn.take()
    asking.prepare(call)
    // One of 1,024 sessions is looked at again after the load.
    call.keepsSession = calls & 1_023 == 0 && lane.figures.sessions.count < SampledSession.limit
    calls &+= 1
    client.start(call)
  }

  override func end() { call = nil }

  private func take(_ answer: SessionCall.Answer) {
    if let problem = answer.problem(isNew: areNew) { return fail(check: problem) }
    lane.moved(request: call?.requestSize() ?? 0, response: answer.bytes)
    lane.figures.fingerprints.append(fingerprint: answer.tokenFingerprint)
    if let session = call?.takeSession() { lane.figures.sessions.append(session) }
    succeed()
  }
}

extension SessionCall.Answer {
  /// What is wrong with it; nil: nothing.
  ///
  /// - Parameter isNew: whether the user has to be new, or known; nil: either.
  @inline(__always)
  func problem(isNew: Bool?) -> String? {
    if tokenLength == 0 { return "a session without a token" }
    if profileLength != 36 { return "a profile id of \(profileLength) bytes in place of 36" }
    if expiresAtMilliseconds == 0 { return "a session without an expiry" }
    if let isNew, isNew != isCreated {
      return isNew
        ? "a new user's profile was there already (is another run using this seed?)"
        : "a known user's profile was made anew"
    }
    return nil
  }
}
