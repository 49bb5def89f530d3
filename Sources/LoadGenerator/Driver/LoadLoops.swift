public import RPCTransport

/// The event loops that a load is made on.
public enum LoadLoops {
  /// Makes and starts them: a group of its own for each, since a client spreads over all loops of
  /// its group. They wake for each call of an open loop at its planned instant.
  ///
  /// - Parameter count: How many; at least 1.
  /// - Throws: `SystemError` if the system has no descriptors left.
  public static func make(_ count: Int) throws(SystemError) -> [EventLoopGroup] {
    var groups: [EventLoopGroup] = []
    for _ in 0..<max(1, count) {
      groups.append(try EventLoopGroup(loops: 1, timerResolution: .exact))
    }
    return groups
  }
}
