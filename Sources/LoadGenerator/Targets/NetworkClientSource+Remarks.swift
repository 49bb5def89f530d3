public import LoadReporting

extension NetworkClientSource {
  /// What is said before a load that makes connections again and again: that this machine's ports
  /// may not last. Nil: they will, or connections are made once.
  public func warning(_ plan: LoadPlan) -> String? {
    guard
      plan.parts.contains(where: { $0.scenario == .handshake }) || plan.callsPerConnection != nil
    else { return nil }
    return Preflight.current().warning(newConnections: plan.callLimit, addresses: addressCount)
  }
}

extension LoadReport {
  /// Said in red wherever a load without verification is reported.
  public static let insecureRemark =
    "INSECURE: --insecure switched the check of the server's certificate off; whoever answered may"
    + " have been somebody else"
}
