import OnsideStore

/// Where a server keeps what it has to remember.
public enum StoreLocation: Sendable, Hashable {
  /// In memory: gone when the server ends.
  case memory

  /// In an SQLite file, which is made if it doesn't exist.
  case sqlite(path: String)

  /// Reads `memory` or `sqlite:PATH`; nil for anything else.
  public init?(_ text: String) {
    let scheme = "sqlite:"
    if text == "memory" {
      self = .memory
    } else if text.hasPrefix(scheme), text.utf8.count > scheme.utf8.count, !text.utf8.contains(0) {
      self = .sqlite(path: String(text.dropFirst(scheme.count)))
    } else {
      return nil
    }
  }

  /// What `init(_:)` reads.
  public var text: String {
    switch self {
    case .memory: "memory"
    case .sqlite(let path): "sqlite:\(path)"
    }
  }

  /// Opens the store.
  func open() throws(StoreError) -> any Store {
    switch self {
    case .memory: MemoryStore()
    case .sqlite(let path): try SQLiteStore(path: path)
    }
  }
}
