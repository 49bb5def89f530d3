/// What logins through the store app allow.
public struct StoreLoginPolicy: Sendable, Hashable {
  /// How long a login can take, from its begin to its session.
  public var lifetime = Duration.seconds(600)

  /// The most logins that are under way at a time. When there are more, the address that has the
  /// most loses its oldest.
  public var capacity = 65_536

  /// The defaults.
  public init() {}
}

extension StoreLoginPolicy {
  /// The most logins that one address may have under way at a time.
  var networkCapacity: Int { max(1, min(1_024, capacity / 4)) }
}
