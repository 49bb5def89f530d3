import OnsideStore
import Testing

/// The implementations that behave alike.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
  case memory
  case sqlite

  var testDescription: String { self == .memory ? "memory" : "SQLite" }

  /// Runs a test's body with a new store, and closes it.
  func withStore(_ body: (any Store) async throws -> Void) async throws {
    switch self {
    case .memory:
      let store = MemoryStore()
      try await body(store)
      await store.close()
    case .sqlite:
      let folder = TemporaryFolder()
      let store = try SQLiteStore(path: folder.file())
      try await body(store)
      await store.close()
      withExtendedLifetime(folder) {}
    }
  }
}
