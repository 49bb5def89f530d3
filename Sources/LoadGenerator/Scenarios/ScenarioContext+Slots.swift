import OnsideProto
import RPC

extension ScenarioContext {
  /// A log-in.
  func request(user: UInt64) -> CreateSessionRequest {
    CreateSessionRequest(appID: plan.appID, credential: .externalUserID(names.text(user)))
  }

  /// Which users a lane has.
  func userTurn(lane: Int) -> UserTurn {
    UserTurn(lane: lane, of: lanes, known: plan.scenario.needsKnownUsers ? plan.users : nil)
  }

  /// A simulated client's place.
  func slot(
    _ lane: LoadLane, _ client: (any LoadClient)?, _ users: SharedTurn, _ queries: [ProductQuery],
    _ options: CallOptions, number: Int
  ) -> Slot {
    guard let client else { return HandshakeSlot(lane, users: users, context: self) }
    switch plan.scenario {
    case .sessionCreate, .sessionReturn, .handshake:
      return SessionSlot(lane, client: client, users: users, context: self)
    case .idle:
      let slot = SessionSlot(lane, client: client, users: users, context: self)
      slot.quota = 1
      return slot
    case .productFilter:
      // Spread over the queries, so that not all ask the same.
      return ProductSlot(
        lane, client: client, queries: queries, first: number &* 37, options: options)
    case .purchase:
      return PurchaseSlot(lane, client: client, users: users, context: self, number: number)
    }
  }
}

extension LoadPlan {
  /// Calls under way on each connection.
  var slotsPerConnection: Int { scenario == .idle ? 1 : inFlight }
}
