import Dispatch
import Glibc

/// Keeps an app's state in a directory of its own: one file a piece, replaced whole, with the one
/// before kept beside it. A lock sees to it that one process has the directory.
final class FileStateStore: StateStore {
  /// Where the files are.
  let directory: String

  private let queue: DispatchQueue
  private let held: Held

  /// Used on the queue alone.
  private final class Held: @unchecked Sendable {
    var saved: [String: UInt64] = [:]

    /// The open file with the lock; nil: given up.
    var lock: Int32?

    init(lock: Int32) { self.lock = lock }

    deinit { release() }

    func release() {
      if let lock {
        // A process that is being started has a copy of the descriptor until it runs its program,
        // and with it the lock.
        flock(lock, LOCK_UN)
        Glibc.close(lock)
      }
      lock = nil
    }
  }

  /// Makes the directory if it isn't there, readable by its user only.
  ///
  /// - Throws: `storeFailed` with the system's reason, also if another process has the directory.
  init(directory: String) throws(OnsideError) {
    self.directory = directory
    try Self.makeDirectory(directory)
    let path = directory + "/lock"
    let lock = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw Self.failed("open", path) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let error = Self.failed("lock", path)
      Glibc.close(lock)
      throw isTaken
        ? OnsideError(
          .storeFailed, "\(directory) is in use by another process; give each its own directory")
        : error
    }
    queue = DispatchQueue(label: "onside.client.state")
    held = Held(lock: lock)
  }

  func load(_ name: String) async throws(OnsideError) -> [UInt8]? {
    try await onQueue { [self] () throws(OnsideError) in
      // The one before is what is left when a write or the disk tore the other.
      for path in [path(name), path(name) + ".before"] {
        if let file = try Self.read(path), let content = SealedPiece.open(file) { return content }
      }
      return nil
    }
  }

  func save(_ name: String, revision: UInt64, _ bytes: [UInt8]) async throws(OnsideError) {
    try await onQueue { [self] () throws(OnsideError) in
      if let saved = held.saved[name], saved > revision { return }
      try replace(path(name), with: SealedPiece.seal(bytes))
      held.saved[name] = revision
    }
  }

  func remove(_ name: String) async throws(OnsideError) {
    try await onQueue { [self] () throws(OnsideError) in
      for path in [path(name) + ".before", path(name)] {
        guard unlink(path) == 0 || errno == ENOENT else { throw Self.failed("remove", path) }
      }
      try Self.sync(directory)
      held.saved[name] = nil
    }
  }

  func close() async {
    await withCheckedContinuation { continuation in
      queue.async { [held] in
        held.release()
        continuation.resume()
      }
    }
  }

  private func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable () throws(OnsideError) -> Value
  ) async throws(OnsideError) -> Value {
    let result: Result<Value, OnsideError> = await withCheckedContinuation { continuation in
      queue.async { [held] in
        continuation.resume(
          returning: Result { () throws(OnsideError) in
            guard held.lock != nil else {
              throw OnsideError(.storeFailed, "the state directory was given up")
            }
            return try body()
          })
      }
    }
    return try result.get()
  }

  /// A name as a file's: what isn't a letter, digit, "-" or "." is written as its bytes.
  private func path(_ name: String) -> String {
    var file = ""
    for byte in name.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E:
        file.unicodeScalars.append(Unicode.Scalar(byte))
      default: file += "_" + String(byte, radix: 16)
      }
    }
    return directory + "/" + file + ".state"
  }
}
