import Synchronization

/// Keeps an app's state as long as the process lives.
final class MemoryStateStore: StateStore {
  private struct Piece {
    var revision: UInt64
    var bytes: [UInt8]
  }

  private let pieces = Mutex<[String: Piece]>([:])

  func load(_ name: String) async throws(OnsideError) -> [UInt8]? {
    pieces.withLock { $0[name]?.bytes }
  }

  func save(_ name: String, revision: UInt64, _ bytes: [UInt8]) async throws(OnsideError) {
    pieces.withLock { pieces in
      if let present = pieces[name], present.revision > revision { return }
      pieces[name] = Piece(revision: revision, bytes: bytes)
    }
  }

  func close() async {}

  func remove(_ name: String) async throws(OnsideError) {
    _ = pieces.withLock { $0.removeValue(forKey: name) }
  }
}
