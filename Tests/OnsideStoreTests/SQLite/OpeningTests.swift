import Glibc
import OnsideDomain
import Testing

@testable import OnsideStore

@Suite("SQLite: opening a store")
struct OpeningTests {
  private func failure(
    _ path: String, options: SQLiteStore.Options = .init(), schema: Schema = .current
  ) -> StoreError? {
    do throws(StoreError) {
      _ = try SQLiteStore(path: path, options: options, schema: schema)
      return nil
    } catch {
      return error
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  @Test("Only the owner can read the files of a new store")
  func isPrivate() async throws {
    let folder = TemporaryFolder()
    let store = try SQLiteStore(path: folder.file())
    _ = try await store.findOrCreateProfile(try Fixtures.profile("user"))
    for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite.lock"] {
      var status = stat()
      #expect(stat(folder.file(name), &status) == 0, "\(name)")
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
    await store.close()
  }

  @Test("A second server is refused at once, under any name of the file, until the first ends")
  func isLocked() async throws {
    let folder = TemporaryFolder()
    let first = try SQLiteStore(path: folder.file())
    symlink(folder.file(), folder.file("link"))
    for name in ["store.sqlite", "link", "./store.sqlite"] {
      let error = failure(folder.file(name))
      #expect(error?.code == .locked)
      #expect(error?.message.contains(folder.path) == true)
      #expect(error?.message.contains("process \(getpid())") == true)
    }
    await first.close()
  }

  @Test("The lock is gone when a store is")
  func releasesLock() async throws {
    let folder = TemporaryFolder()
    do {
      let first = try SQLiteStore(path: folder.file())
      await first.close()
    }
    #expect(failure(folder.file()) == nil)
  }

  @Test("A store of a newer schema is refused and stays as it is")
  func refusesNewerSchema() async throws {
    let folder = TemporaryFolder()
    let newer = Schema(steps: Schema.current.steps + ["CREATE TABLE later (x INTEGER) STRICT"])
    let first = try SQLiteStore(path: folder.file(), options: .init(), schema: newer)
    await first.close()
    let error = try #require(failure(folder.file()))
    #expect(error.code == .newerSchema)
    #expect(error.message.contains("version \(newer.version)"))
    #expect(error.message.contains(folder.path))
    #expect(failure(folder.file(), schema: newer) == nil)
  }

  @Test("A store of an older schema is brought up, with what is in it")
  func migrates() async throws {
    let folder = TemporaryFolder()
    let first = try SQLiteStore(path: folder.file())
    let profile = try await first.findOrCreateProfile(try Fixtures.profile("user")).profile
    await first.close()
    let newer = Schema(
      steps: Schema.current.steps + [
        "ALTER TABLE profiles ADD COLUMN later INTEGER NOT NULL DEFAULT 7"
      ])
    let second = try SQLiteStore(path: folder.file(), options: .init(), schema: newer)
    #expect(try await second.findProfile(profile.id) == profile)
    await second.close()
    let database = try SQLiteConnection(path: folder.file(), access: .readWrite, vfs: nil)
    #expect(try database.queryInteger("SELECT later FROM profiles") == 7)
    #expect(try database.queryInteger("PRAGMA user_version") == newer.version)
  }

  @Test("The first release's purchases stay: the deferred are found, and events begin")
  func migratesPurchases() async throws {
    let folder = TemporaryFolder()
    let first = Schema(steps: Array(Schema.current.steps.prefix(1)))
    await (try SQLiteStore(path: folder.file(), options: .init(), schema: first)).close()
    do {
      let database = try SQLiteConnection(path: folder.file(), access: .readWrite, vfs: nil)
      for (number, state) in [(1, 2), (2, 4)] {
        try database.execute(
          """
          INSERT INTO transactions VALUES (x'00000000000000010000000000000001',
            x'0000000000000002000000000000000\(number)',
            x'0000000000000002000000000000000\(number)',
            'app', 'coins', 1, 0, \(state), NULL, 0, 499, 'EUR', 'DE', 'DE', 'account', 1, 2, 1,
            NULL, 'key-\(number)', x'01')
          """)
      }
    }
    let store = try SQLiteStore(path: folder.file())
    let profile = ProfileID(high: 1, low: 1)
    let bought = try await store.listBought(
      BoughtQuery(profileID: profile, appID: "app", limit: 9))
    #expect(bought.map(\.id.low) == [1])
    #expect(bought.first?.payment.description == "Apple Pay")
    let deferred = try #require(try await store.deferredPurchases().first)
    #expect(deferred.id.low == 2)
    #expect(try await store.findDeferredPurchase(deferred.id) == deferred)
    _ = try await store.recordOutcome(
      .paid, of: deferred.id, profileID: profile, at: Fixtures.start)
    let reading = try await store.profileEvents(of: profile, after: 0)
    guard case .page(let page) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(page.events.count == 1 && page.position == 1)
    await store.close()
  }

  @Test("A step that fails leaves the version before it")
  func migratesWhole() async throws {
    let folder = TemporaryFolder()
    let first = try SQLiteStore(path: folder.file())
    await first.close()
    let broken = Schema(
      steps: Schema.current.steps + ["CREATE TABLE later (x INTEGER) STRICT; CREATE NONSENSE"])
    #expect(failure(folder.file(), schema: broken) != nil)
    let database = try SQLiteConnection(path: folder.file(), access: .readWrite, vfs: nil)
    #expect(try database.queryInteger("PRAGMA user_version") == Schema.current.version)
    let tables = try database.queryInteger(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'later'")
    #expect(tables == 0)
  }

  @Test("Another program's database is refused and stays as it is")
  func refusesForeignDatabase() throws {
    let folder = TemporaryFolder()
    try write([], to: folder.file())
    do {
      let database = try SQLiteConnection(path: folder.file(), access: .readWrite, vfs: nil)
      try database.execute("CREATE TABLE notes (text TEXT); PRAGMA user_version = 1")
    }
    let error = try #require(failure(folder.file()))
    #expect(error.code == .notAStore)
    #expect(error.message.contains(folder.file()))
    let database = try SQLiteConnection(path: folder.file(), access: .readOnly, vfs: nil)
    #expect(try database.queryText("PRAGMA journal_mode") == "delete")
  }

  @Test("A file that is no database is refused and stays as it is", arguments: [8, 100, 8_192])
  func refusesOtherFile(size: Int) throws {
    let folder = TemporaryFolder()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try write(bytes, to: folder.file())
    let error = try #require(failure(folder.file()))
    #expect(error.code == .notAStore, "\(error)")
    #expect(error.message.contains(folder.file()))
    let file = try #require(fopen(folder.file(), "r"))
    var found = [UInt8](repeating: 0, count: size + 1)
    #expect(fread(&found, 1, found.count, file) == size)
    fclose(file)
    #expect(Array(found.prefix(size)) == bytes)
  }

  @Test("A damaged store is refused")
  func refusesDamaged() async throws {
    let folder = TemporaryFolder()
    let first = try SQLiteStore(path: folder.file())
    await first.close()
    // The header stays; the page with the schema is overwritten behind it.
    let file = try #require(fopen(folder.file(), "r+"))
    fseek(file, 100, SEEK_SET)
    fwrite([UInt8](repeating: 0xa5, count: 2_000), 1, 2_000, file)
    fclose(file)
    let error = try #require(failure(folder.file()))
    #expect(error.code == .damaged, "\(error)")
    #expect(error.message.contains(folder.file()))
  }

  @Test("A path that can't be a store is refused with the path and what to do")
  func refusesBadPaths() throws {
    let folder = TemporaryFolder()
    for path in [
      "\(folder.path)/missing/store.sqlite", folder.path, "", "\(folder.path)/",
      "/proc/store.sqlite", "/dev/null/store.sqlite",
    ] {
      let error = try #require(failure(path), "\(path)")
      #expect(error.code == .cannotOpen, "\(path): \(error)")
      #expect(error.message.contains(path), "\(error)")
    }
  }
}
