/// Where and how safely a store keeps what it is given.
public struct StoreFacts: Hashable, Sendable {
  /// `sqlite` or `memory`.
  public var kind: String

  /// For people, on one line.
  public var durability: String

  /// SQLite's `synchronous` mode; empty: nothing is kept.
  public var synchronous: String

  /// The most requests in one commit.
  public var batchLimit: Int

  /// The facts of one.
  public init(kind: String, durability: String, synchronous: String = "", batchLimit: Int = 1) {
    self.kind = kind
    self.durability = durability
    self.synchronous = synchronous
    self.batchLimit = batchLimit
  }
}
