/// What the server says about itself, if it may be asked.
public struct ServerFacts: Sendable, Equatable {
  /// Version and build.
  public var build: String?

  /// What is kept, where and how safely: "SQLite, synchronous FULL, up to 512 in a commit".
  public var durability: String?

  /// Its TLS library and version.
  public var tlsLibrary: String?

  /// Cores that its process may use.
  public var usableCores: Int?

  /// Its event loops.
  public var loops: Int?

  /// Nothing known.
  public init() {}
}
