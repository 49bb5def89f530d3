import OnsideProto
public import RPC

extension Marketplace {
  /// Registers the services with their authorization rules.
  public func register(in registry: inout MethodRegistry) {
    let rules = SessionRules(sessions: sessions)
    addLogin(to: &registry, rules)
    registry.add(
      products, authorization: [ProductsServiceMethods.listProducts: rules.optional])
    registry.immediate(ProductsServiceMethods.listProducts) {
      [products] request, context, sink throws(RPCError) in
      try products.answer(request, context, &sink)
      return .answered
    }
    addPayments(to: &registry, rules)
    registry.add(
      AnalyticsHandlers(
        gate: gate, store: store, clock: configuration.clock,
        eventLimit: configuration.maximumTrackedEvents),
      authorization: [
        AnalyticsServiceMethods.getAttribution: rules.optional,
        AnalyticsServiceMethods.trackEvents: rules.optional,
      ])
    addSandbox(to: &registry)
  }

  private func addLogin(to registry: inout MethodRegistry, _ rules: SessionRules) {
    registry.add(
      login,
      authorization: [
        LoginServiceMethods.createSession: .anyone,
        LoginServiceMethods.sendPhoneCode: .anyone,
        LoginServiceMethods.beginStoreLogin: .anyone,
        LoginServiceMethods.getProfile: rules.required,
        LoginServiceMethods.endSession: rules.endable,
      ])
    registry.immediate(LoginServiceMethods.createSession) {
      [login] request, context, sink throws(RPCError) in
      try login.answerAtOnce(request, context, &sink)
    }
  }

  private func addPayments(to registry: inout MethodRegistry, _ rules: SessionRules) {
    registry.add(
      payments,
      authorization: [
        PaymentsServiceMethods.createPurchase: rules.required,
        PaymentsServiceMethods.finishTransaction: rules.required,
        PaymentsServiceMethods.listTransactions: rules.required,
        PaymentsServiceMethods.listPurchases: rules.required,
        PaymentsServiceMethods.watchTransactions: rules.required,
        PaymentsServiceMethods.getReceipt: rules.required,
        PaymentsServiceMethods.getSignedHistory: rules.required,
        PaymentsServiceMethods.getKeySet: .anyone,
        PaymentsServiceMethods.addCard: rules.required,
        PaymentsServiceMethods.listCards: rules.required,
        PaymentsServiceMethods.removeCard: rules.required,
        PaymentsServiceMethods.setDefaultCard: rules.required,
      ])
    // A long history takes milliseconds, which an event loop has no time for.
    registry.offload(PaymentsServiceMethods.getSignedHistory)
  }

  /// Where nobody is an administrator, nobody finds out what could be controlled.
  private func addSandbox(to registry: inout MethodRegistry) {
    guard !configuration.administrators.isEmpty else { return }
    let faults = Faults(store: store, log: log)
    registry.intercept(by: faults.interceptor)
    registry.add(
      sandboxHandlers(faults),
      authorization: SandboxHandlers.rules(configuration.administrators))
  }

  /// The control of the sandbox.
  func sandboxHandlers(_ faults: Faults) -> SandboxHandlers {
    SandboxHandlers(
      store: store, gate: gate, login: login, catalogue: catalogue, purchases: purchases,
      clock: configuration.clock, faults: faults)
  }
}
