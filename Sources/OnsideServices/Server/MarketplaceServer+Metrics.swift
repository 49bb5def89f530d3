public import RPCServer

extension MarketplaceServer {
  /// What was counted up to now, of calls, connections and what peers did wrong.
  public var metrics: ServerMetrics { server.metrics }
}
