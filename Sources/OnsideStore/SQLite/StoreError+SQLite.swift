import CSQLite

extension StoreError {
  /// What a result code of SQLite means for the store.
  init(sqlite code: Int32, text: String, path: String) {
    let cause = "SQLite \(code): \(text)"
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .busy, "another program holds the lock of the store \(path): end it, or try again",
        cause: cause)
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE, SQLITE_MISUSE,
      SQLITE_ERROR, SQLITE_SCHEMA:
      self.init(.requestFailed, "a request to the store \(path) failed", cause: cause)
    case SQLITE_NOTADB:
      self.init(
        .notAStore, "\(path) is not a store: give another path with --store sqlite:PATH",
        cause: cause)
    case SQLITE_CORRUPT:
      self.init(
        .damaged, "the store \(path) is damaged: restore it from a backup", cause: cause)
    case SQLITE_FULL:
      self.init(.failed, Self.stopped(path, "free space on the disk"), cause: cause)
    default:
      self.init(.failed, Self.stopped(path, "check the disk"), cause: cause)
    }
  }

  private static func stopped(_ path: String, _ remedy: String) -> String {
    "the store \(path) can't be written and takes no more writes: \(remedy), "
      + "then restart the server"
  }

  /// Whether the store can't be trusted to write after this.
  var stopsWrites: Bool {
    [.failed, .damaged, .notAStore, .cannotOpen].contains(code)
  }
}
