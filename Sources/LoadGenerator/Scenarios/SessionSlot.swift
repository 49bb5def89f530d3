import LoadReporting
import OnsideClient
import RPC

/// Makes sessions: of new users, or of known ones. Each call is a login of the simulated client,
/// which has forgotten who it was signed in as before.
final class SessionSlot: Slot, @unchecked Sendable {
  /// The check that all of them together make.
  static let check = CheckResult(name: "session_tokens_unique", title: "session tokens unique")

  private let customer: OnsideClient
  private let users: SharedTurn
  private let names: UserNames
  private let areNew: Bool
  private let sampling: ServiceTimeSampling
  @exclusivity(unchecked) private var login: Login?
  @exclusivity(unchecked) private var asking = ServiceTimeTurn(.off)
  @exclusivity(unchecked) private var user: UInt64 = 0
  @exclusivity(unchecked) private var answers: UInt64 = 0

  init(_ lane: LoadLane, client: any LoadClient, users: SharedTurn, context: ScenarioContext) {
    customer = context.customer(client)
    self.users = users
    names = context.names
    areNew = context.plan.scenario == .sessionCreate
    sampling = context.plan.serviceTime
    let login = Login(customer)
    self.login = login
    super.init(lane)
    login.slot = self
  }

  override func prepare() async throws(SetupError) {
    guard let login else { return }
    do throws(OnsideError) {
      try login.prepare()
      asking = ServiceTimeTurn(sampling, options: login.options)
    } catch {
      throw SetupError(error, doing: "making a login")
    }
  }

  override func begin() {
    guard let login else { return }
    user = users.turn.take()
    customer.abandonSession()
    asking.prepare(login)
    do throws(OnsideError) {
      try login.start(externalUserID: names.text(user))
    } catch {
      fail(error)
    }
  }

  override func end() { login = nil }

  fileprivate func take(_ answer: DirectLogin.Answer) {
    if let problem = answer.problem(isNew: areNew) { return fail(check: problem) }
    lane.moved(request: login?.requestSize() ?? 0, response: answer.responseSize)
    lane.figures.fingerprints.append(answer.session.token)
    // One of 1,024 sessions is looked at again after the load.
    if answers & 1_023 == 0 { lane.keep(answer.session, of: user) }
    answers &+= 1
    succeed()
  }
}

/// The logins of a slot.
private final class Login: DirectLogin, @unchecked Sendable {
  @exclusivity(unchecked) var slot: SessionSlot?

  override func prefetch() {
    super.prefetch()
    if let slot { RPC.prefetch(slot, bytes: 192) }
  }

  override func opened(_ answer: Answer) { slot?.take(answer) }

  override func refused(_ error: OnsideError) { slot?.fail(error) }
}

extension DirectLogin.Answer {
  /// What is wrong with it; nil: nothing.
  ///
  /// - Parameter isNew: whether the user has to be new, or known; nil: either.
  func problem(isNew: Bool?) -> String? {
    if session.token.isEmpty { return "a session without a token" }
    let length = session.profileID.utf8.count
    if length != 36 { return "a profile id of \(length) bytes in place of 36" }
    if session.expiresAtMilliseconds == 0 { return "a session without an expiry" }
    if let isNew, isNew != isNewProfile {
      return isNew
        ? "a new user's profile was there already (is another run using this seed?)"
        : "a known user's profile was made anew"
    }
    return nil
  }
}
