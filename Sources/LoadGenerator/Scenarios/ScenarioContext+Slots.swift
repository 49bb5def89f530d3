import OnsideProto
import RPC

extension ScenarioContext {
  /// A log-in.
  func request(user: UInt64) -> CreateSessionRequest {
    CreateSessionRequest(appID: plan.appID, credential: .externalUserID(names.text(user)))
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
    _ options: CallOptions, number: Int
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
      // Spread over the queries, so that not all ask the same.
      return ProductSlot(
        lane, client: client, queries: queries, first: number &* 37, options: options,
        serviceTime: plan.serviceTime)
    case .purchase, .journey:
      return PurchaseSlot(lane, client: client, users: users, context: self, number: number)
    case .watch:
      return WatchSlot(lane, client: client, context: self, number: number)
    }
  }
}

extension LoadPlan {
  /// Calls under way on each connection.
  var slotsPerConnection: Int { scenario == .idle ? 1 : inFlight }
}
