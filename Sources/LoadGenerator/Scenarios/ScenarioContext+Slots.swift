import OnsideClient
import OnsideProto

extension ScenarioContext {
  /// A log-in.
  func request(user: UInt64) -> CreateSessionRequest {
    CreateSessionRequest(appID: plan.appID, credential: .externalUserID(names.text(user)))
  }

  /// One login of a simulated client that has just come.
  func logIn(
    _ user: UInt64, over client: any LoadClient,
    answered: @escaping (DirectLogin.Answer) -> Void, refused: @escaping (OnsideError) -> Void
  ) {
    do throws(OnsideError) {
      try SingleLogin(customer(client), answered, refused)
        .start(externalUserID: names.text(user))
    } catch {
      refused(error)
    }
  }

  /// Which users a lane has.
  func userTurn(lane: Int) -> UserTurn {
    UserTurn(
      lane: lane, of: lanes, known: plan.scenario.needsKnownUsers ? plan.users : nil,
      zipf: plan.zipf, seed: plan.seed)
  }

  /// A simulated client's place.
  func slot(
    _ lane: LoadLane, _ client: (any LoadClient)?, _ users: SharedTurn, _ queries: [ProductQuery],
    number: Int
  ) -> Slot {
    if plan.scenario == .storm { return StormSlot(lane, users: users, context: self) }
    guard let client else { return HandshakeSlot(lane, users: users, context: self) }
    switch plan.scenario {
    case .sessionCreate, .sessionReturn, .handshake, .storm:
      return SessionSlot(lane, client: client, users: users, context: self)
    case .idle:
      let slot = SessionSlot(lane, client: client, users: users, context: self)
      slot.quota = 1
      return slot
    case .productFilter:
      return ProductSlot(lane, client: client, queries: queries, context: self, number: number)
    case .purchase, .journey:
      return PurchaseSlot(lane, client: client, users: users, context: self, number: number)
    case .watch:
      return WatchSlot(lane, client: client, context: self, number: number)
    }
  }
}

/// A login that is made once.
private final class SingleLogin: DirectLogin, @unchecked Sendable {
  private let answered: (Answer) -> Void
  private let refusal: (OnsideError) -> Void

  init(
    _ client: OnsideClient, _ answered: @escaping (Answer) -> Void,
    _ refusal: @escaping (OnsideError) -> Void
  ) {
    self.answered = answered
    self.refusal = refusal
    super.init(client)
  }

  override func opened(_ answer: Answer) { answered(answer) }

  override func refused(_ error: OnsideError) { refusal(error) }
}

extension LoadPlan {
  /// Calls under way on each connection.
  var slotsPerConnection: Int { scenario == .idle ? 1 : inFlight }
}
