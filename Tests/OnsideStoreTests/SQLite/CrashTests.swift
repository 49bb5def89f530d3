import OnsideDomain
import OnsideStore
import Testing

@Suite("SQLite: a process that dies")
struct CrashTests {
  @Test(
    "All that was acknowledged before kill -9 is there afterwards", arguments: [50, 500, 3_000])
  func keepsAcknowledged(lines count: Int) async throws {
    let folder = TemporaryFolder()
    let child = try #require(ChildProcess("store-crash-child", [folder.file()]))
    let lines = await child.linesUntilKilled(after: count)
    #expect(lines.count >= count)
    let store = try SQLiteStore(path: folder.file())
    let revoked = Set(
      try await store.revocations(after: nil, limit: 1_000_000).revocations.map(\.sessionID))
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 3 else {
        Issue.record("a line of another form: \(line)")
        continue
      }
      let profile = try #require(
        try await store.findProfile(appID: "app", externalUserID: "user-\(words[1])"))
      switch words[0] {
      case "profile":
        #expect(profile.id.description == words[2])
      case "purchase":
        let id = try #require(TransactionID(String(words[2])))
        let found = try await store.findTransaction(id, profileID: profile.id, appID: "app")
        #expect(found?.lifecycle.state == .purchased)
      default:
        let session = try #require(SessionID(String(words[2])))
        #expect(revoked.contains(session))
      }
    }
    await store.close()
  }

  @Test("A store that was closed is there when it is opened again")
  func keepsClosed() async throws {
    let folder = TemporaryFolder()
    let first = try SQLiteStore(path: folder.file())
    let profile = try await first.findOrCreateProfile(try Fixtures.profile("user")).profile
    await first.close()
    let second = try SQLiteStore(path: folder.file())
    #expect(try await second.findProfile(profile.id) == profile)
    await second.close()
    await second.close()
  }

  @Test("A closed store refuses")
  func refusesWhenClosed() async throws {
    let folder = TemporaryFolder()
    let store = try SQLiteStore(path: folder.file())
    await store.close()
    let profile = try Fixtures.profile("user")
    await #expect { _ = try await store.findOrCreateProfile(profile) } throws: { error in
      (error as? StoreError)?.code == .closed
    }
    await #expect { _ = try await store.findProfile(profile.id) } throws: { error in
      (error as? StoreError)?.code == .closed
    }
  }
}
