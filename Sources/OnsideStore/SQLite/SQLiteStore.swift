import OnsideDomain

/// The store in an SQLite file: one writer with group commit, and readers beside it.
///
/// An answered write survives the end of the process and of the machine. One server at a time may
/// have the file open.
public final class SQLiteStore: Store {
  /// How the store uses its machine.
  public struct Options: Hashable, Sendable {
    /// The most requests that wait for the writer, and for each reader.
    public var queueCapacity = 65_536

    /// The most requests in one transaction. More don't make it cheaper, and hold up the first.
    public var batchLimit = 1_024

    /// Connections that read; each has a thread while it works. At least 1.
    public var readers = 2

    /// Pages of 4 KiB in the write-ahead log at which it is copied into the database.
    public var checkpointPages = 8_192

    /// Memory for pages of the writer, in KiB.
    public var cacheKiB = 65_536

    /// A file system that was registered with SQLite under this name; nil: the default one.
    package var fileSystem: String?

    public init() {}
  }

  public let eventHub = ProfileEventHub()

  let writer: SQLiteWriter
  private let readers: [SQLiteReader]
  private let file: StoreFile

  /// Opens the store at `path`, makes it if it doesn't exist, and brings it to the schema of this
  /// release.
  public convenience init(path: String, options: Options = Options()) throws(StoreError) {
    try self.init(path: path, options: options, schema: .current)
  }

  init(path: String, options: Options, schema: Schema) throws(StoreError) {
    let file = try StoreFile(path: path)
    let connection = try Self.open(file, options, schema)
    var readers: [SQLiteReader] = []
    for _ in 0..<max(options.readers, 1) {
      readers.append(try SQLiteReader(path: file.path, options: options))
    }
    self.file = file
    self.writer = SQLiteWriter(connection, options: options)
    self.readers = readers
  }

  private static func open(
    _ file: StoreFile, _ options: Options, _ schema: Schema
  ) throws(StoreError) -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: file.path, access: .readWrite, vfs: options.fileSystem)
    // Before anything is changed: it may be somebody else's.
    try schema.check(connection)
    let mode = try connection.queryText("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw StoreError(
        .cannotOpen,
        "the file system of the store \(file.path) can't have a write-ahead log (journal mode "
          + "\(mode)): put the store on a local disk")
    }
    try connection.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -\(max(options.cacheKiB, 256));
      PRAGMA journal_size_limit = 67108864;
      """)
    try schema.migrate(connection)
    // The log is opened with the first reading after the journal mode was set.
    _ = try connection.queryInteger("PRAGMA user_version")
    connection.countSyncs()
    connection.takeOverCheckpoints()
    return connection
  }

  public var facts: StoreFacts {
    let version = SQLiteConnection.libraryVersion
    return StoreFacts(
      kind: "sqlite",
      durability: "SQLite \(version), write-ahead log, synchronous FULL, up to "
        + "\(writer.batchLimit) requests in a commit",
      synchronous: "FULL", batchLimit: writer.batchLimit)
  }

  public var counters: StoreCounters { writer.counters(readers: readers) }

  public var failure: StoreError? { writer.failure }

  public func close(completion: @escaping @Sendable () -> Void) {
    // The writer's connection is the last, and copies the log into the database as it closes.
    closeReaders(readers[...]) { [writer, file] in
      writer.close {
        file.unlock()
        completion()
      }
    }
  }

  private func closeReaders(
    _ rest: ArraySlice<SQLiteReader>, then next: @escaping @Sendable () -> Void
  ) {
    guard let first = rest.first else { return next() }
    first.close { [self] in closeReaders(rest.dropFirst(), then: next) }
  }

  /// Queues a write. Its body writes with at most one statement, as its last step: SQLite takes a
  /// failed statement back as a whole, so that a failing request leaves nothing in the batch. (A
  /// savepoint for each would say the same at a quarter more work.)
  func write<Value: Sendable>(
    _ options: RequestOptions, _ completion: @escaping StoreCompletion<Value>,
    _ body: @escaping TypedRequest<Value>.Body
  ) {
    writer.submit(TypedRequest(options: options, completion: completion, body: body))
  }

  /// Queues a read. Those of one `shard` are answered in order.
  func read<Value: Sendable>(
    _ options: RequestOptions, shard: UInt64 = 0, _ completion: @escaping StoreCompletion<Value>,
    _ body: @escaping TypedRequest<Value>.Body
  ) {
    let reader = readers[Int(shard % UInt64(readers.count))]
    reader.submit(TypedRequest(options: options, completion: completion, body: body))
  }
}
