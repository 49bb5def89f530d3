import CSQLite
import OnsideDomain

/// A prepared statement. Bindings are made in order; columns are read by number from 0.
final class SQLiteStatement {
  private var handle: OpaquePointer?
  private unowned let connection: SQLiteConnection
  private var bound: Int32 = 0

  /// The first binding that failed; `step` reports it.
  private var bindingFailure: Int32 = SQLITE_OK

  /// Values of the current run. Copying them here costs less than having SQLite allocate each.
  private let values = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 8)
  private var used = 0

  init(_ sql: String, on connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  /// Frees the statement, which can't be used afterwards.
  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  /// Ends the statement's run and forgets its bindings, so that it can be used again.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    bound = 0
    used = 0
    bindingFailure = SQLITE_OK
  }

  deinit {
    values.deallocate()
  }

  /// Runs to the next row; false: there is none, and the statement has done its work.
  func step() throws(StoreError) -> Bool {
    guard bindingFailure == SQLITE_OK else { throw connection.error(bindingFailure) }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.error(code)
    }
  }

  /// Runs a statement without rows, and resets it.
  func run() throws(StoreError) {
    defer { reset() }
    while try step() {}
  }

  // Bindings.

  func bind(_ value: Int64) {
    bound += 1
    note(sqlite3_bind_int64(handle, bound, value))
  }

  func bind(_ value: Int) { bind(Int64(value)) }

  func bind(_ value: Bool) { bind(value ? 1 : 0) }

  func bind(_ value: Timestamp) { bind(value.milliseconds) }

  func bind(_ value: String) {
    var value = value
    value.withUTF8 { bindBytes(UnsafeRawBufferPointer($0), isText: true) }
  }

  func bind(_ value: String?) {
    if let value { bind(value) } else { bindNull() }
  }

  func bind(_ value: [UInt8]) {
    value.withUnsafeBytes { bindBytes($0, isText: false) }
  }

  func bind<Entity>(_ value: UniqueID<Entity>) {
    value.withBytes { bindBytes($0, isText: false) }
  }

  private func bindBytes(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    bound += 1
    let fits = bytes.count <= values.count - used
    var source = bytes.baseAddress
    if fits {
      let room = UnsafeMutableRawBufferPointer(rebasing: values[used..<used + bytes.count])
      room.copyMemory(from: bytes)
      source = UnsafeRawPointer(room.baseAddress)
      used += bytes.count
    }
    let length = UInt64(bytes.count)
    if isText {
      let text = source?.assumingMemoryBound(to: CChar.self)
      note(csqlite_bind_text(handle, bound, text, length, fits ? 0 : 1))
    } else {
      note(csqlite_bind_blob(handle, bound, source, length, fits ? 0 : 1))
    }
  }

  func bindNull() {
    bound += 1
    note(sqlite3_bind_null(handle, bound))
  }

  private func note(_ code: Int32) {
    if bindingFailure == SQLITE_OK { bindingFailure = code }
  }

  // Columns.

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func timestamp(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  func id<Entity>(_ column: Int32) throws(StoreError) -> UniqueID<Entity> {
    try known(UniqueID(bytes: bytes(column)), column)
  }

  /// A value that was made of a column; a damaged database may hold one that nothing can be made
  /// of.
  func known<Value>(_ value: Value?, _ column: Int32) throws(StoreError) -> Value {
    if let value { return value }
    let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "?"
    throw StoreError(
      .requestFailed,
      "the store \(connection.path) has a value in column \(name) that this release doesn't know")
  }
}
