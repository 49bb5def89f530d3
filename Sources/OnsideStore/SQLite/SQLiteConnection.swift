import CSQLite

/// A connection to a database with its prepared statements.
///
/// Unchecked: it is used by one thread at a time, that of the request queue it belongs to.
final class SQLiteConnection: @unchecked Sendable {
  /// What a connection may do.
  enum Access {
    case readWrite
    case readOnly
  }

  let handle: OpaquePointer

  /// The file, for messages.
  let path: String

  /// By the address of their text, which is a literal.
  private var statements: [UInt: SQLiteStatement] = [:]

  /// Written before others than the opening thread know the connection.
  private var syncCount: OpaquePointer?

  /// Pages in the write-ahead log after the last commit.
  private(set) var logPages = 0

  /// Opens `path`; `vfs` names a registered file system of SQLite, nil the default one.
  init(path: String, access: Access, vfs: String?) throws(StoreError) {
    Self.configured
    var handle: OpaquePointer?
    let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    // No mutex: one thread at a time uses the connection.
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &handle, flags, vfs)
    guard let handle, code == SQLITE_OK else {
      let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      throw StoreError(.cannotOpen, "can't open the store \(path)", cause: text)
    }
    self.handle = handle
    self.path = path
    // A person with the sqlite3 shell may hold the lock for a moment.
    sqlite3_busy_timeout(handle, 2_000)
  }

  deinit {
    close()
    if let syncCount { csqlite_forget_syncs(syncCount) }
  }

  /// Of SQLite: "3.46.1".
  static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  private static let configured: Void = csqlite_leave_memory_uncounted()

  /// Lets go of the file. The connection can't be used afterwards; nothing happens the second time.
  func close() {
    for statement in statements.values { statement.finalize() }
    statements = [:]
    guard !isClosed else { return }
    isClosed = true
    sqlite3_close_v2(handle)
  }

  private var isClosed = false

  /// The prepared form of a statement, without bindings. Statements are prepared once.
  ///
  /// - Parameter head: What the statement begins with, where several begin so; always the same for
  ///   one `sql`.
  func statement(
    _ sql: StaticString, behind head: StaticString = ""
  ) throws(StoreError) -> SQLiteStatement {
    let key = UInt(bitPattern: sql.utf8Start)
    if let found = statements[key] { return found }
    let made = try SQLiteStatement("\(head)\(sql)", on: self)
    statements[key] = made
    return made
  }

  /// Runs a statement that needs no bindings and whose rows aren't wanted.
  func run(_ sql: StaticString) throws(StoreError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// Runs statements once that won't be needed again.
  func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// The first column of the only row of a query that won't be needed again.
  func queryInteger(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try SQLiteStatement(sql, on: self)
    defer { statement.finalize() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// The first column of the only row of a query that won't be needed again.
  func queryText(_ sql: String) throws(StoreError) -> String {
    let statement = try SQLiteStatement(sql, on: self)
    defer { statement.finalize() }
    return try statement.step() ? statement.text(0) : ""
  }

  /// Rows that the last statement inserted, updated or deleted.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Rows changed since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// Whether a transaction is open. SQLite ends one by itself after some failures.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Checkpoints are made by `checkpoint()` instead of inside of commits.
  func takeOverCheckpoints() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        connection.logPages = Int(pages)
        return SQLITE_OK
      }, context)
  }

  /// Counts from now on how often the disk is asked to make writes durable. Once, when the
  /// write-ahead log is open.
  func countSyncs() {
    guard syncCount == nil else { return }
    syncCount = csqlite_count_syncs(handle)
  }

  /// How often it was asked; from any thread.
  var syncs: Int { Int(clamping: csqlite_syncs(syncCount)) }

  /// Copies the log's pages into the database, as far as readers let it.
  func checkpoint() throws(StoreError) {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    logPages = 0
    guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else { throw error(code) }
  }

  /// The error that SQLite reported last.
  func error(_ code: Int32) -> StoreError {
    StoreError(sqlite: code, text: String(cString: sqlite3_errmsg(handle)), path: path)
  }
}
