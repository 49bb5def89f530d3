import CSQLiteFaults
import Dispatch
import OnsideDomain
import Synchronization
import Testing

@testable import OnsideStore

@Suite("SQLite: group commit")
struct GroupCommitTests {
  /// Holds the writer until it is let go, so that requests gather behind it.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    func pass() { semaphore.wait() }
  }

  private static let nextName = Atomic(0)

  /// A store on a file system that counts and fails on demand.
  private func makeStore(
    _ folder: TemporaryFolder, _ change: (inout SQLiteStore.Options) -> Void = { _ in }
  ) throws -> (store: SQLiteStore, faults: Faults) {
    let number = Self.nextName.add(1, ordering: .relaxed).newValue
    let name = "faults-\(number)"
    let faults = try #require(csqlite_faults_register(name))
    var options = SQLiteStore.Options()
    options.fileSystem = name
    change(&options)
    return (try SQLiteStore(path: folder.file(), options: options), Faults(handle: faults))
  }

  /// Unchecked: the C functions are atomic.
  private struct Faults: @unchecked Sendable {
    let handle: OpaquePointer
    var syncs: Int { Int(csqlite_faults_log_syncs(handle)) }
    func failSyncs(_ on: Bool) { csqlite_faults_fail_syncs(handle, on ? 1 : 0) }
    func fillDisk(_ on: Bool) { csqlite_faults_fill_disk(handle, on ? 1 : 0) }
  }

  /// Occupies the writer; what is submitted afterwards waits until the gate is opened.
  private func hold(_ store: SQLiteStore) async -> Gate {
    let gate = Gate()
    await withCheckedContinuation { continuation in
      store.write(RequestOptions(), { _ in }) { _ in
        continuation.resume()
        gate.pass()
      }
    }
    return gate
  }

  /// Makes profiles all at once, behind a gate; the results are in the order of the users.
  private func makeProfiles(
    _ users: Range<Int>, in store: SQLiteStore, options: RequestOptions = RequestOptions(),
    whileHeld: () -> Void = {}
  ) async throws -> [Result<ProfileCreation, StoreError>] {
    let proposed = try users.map { try Fixtures.profile("user-\($0)") }
    let gate = await hold(store)
    let results = AsyncStream<(Int, Result<ProfileCreation, StoreError>)>.makeStream()
    for (index, profile) in proposed.enumerated() {
      store.findOrCreateProfile(profile, options: options) {
        results.continuation.yield((index, $0))
      }
    }
    whileHeld()
    gate.open()
    var found: [(Int, Result<ProfileCreation, StoreError>)] = []
    for await result in results.stream {
      found.append(result)
      if found.count == proposed.count { break }
    }
    return found.sorted { $0.0 < $1.0 }.map(\.1)
  }

  @Test("1,000 waiting requests are one commit and one sync")
  func groupsRequests() async throws {
    let folder = TemporaryFolder()
    let (store, faults) = try makeStore(folder)
    _ = try await store.findOrCreateProfile(try Fixtures.profile("first"))
    let syncs = faults.syncs
    let commits = store.counters.commits
    let results = try await makeProfiles(0..<1_000, in: store)
    #expect(results.allSatisfy { (try? $0.get().created) == true })
    #expect(store.counters.commits - commits == 1)
    #expect(faults.syncs - syncs == 1)
    #expect(store.counters.largestBatch == 1_000)
    #expect(store.counters.batchSizes[9] == 1)
    await store.close()
  }

  @Test("A lone request is one commit and one sync")
  func syncsEachCommit() async throws {
    let folder = TemporaryFolder()
    let (store, faults) = try makeStore(folder)
    _ = try await store.findOrCreateProfile(try Fixtures.profile("first"))
    let syncs = faults.syncs
    let counted = store.counters.syncs
    for user in 0..<10 {
      _ = try await store.findOrCreateProfile(try Fixtures.profile("user-\(user)"))
      #expect(faults.syncs - syncs == user + 1)
      #expect(store.counters.syncs - counted == user + 1)
    }
    await store.close()
  }

  @Test("A batch has a bound")
  func boundsBatches() async throws {
    let folder = TemporaryFolder()
    let (store, faults) = try makeStore(folder) { $0.batchLimit = 100 }
    let syncs = faults.syncs
    _ = try await makeProfiles(0..<1_000, in: store)
    #expect(store.counters.largestBatch == 100)
    #expect(faults.syncs - syncs >= 10)
    await store.close()
  }

  @Test("A full queue refuses the rest, and takes more when it has emptied")
  func refusesWhenFull() async throws {
    let folder = TemporaryFolder()
    let (store, _) = try makeStore(folder) { $0.queueCapacity = 50 }
    let results = try await makeProfiles(0..<80, in: store)
    let refused = results.filter { result in
      if case .failure(let error) = result { error.code == .overloaded } else { false }
    }
    #expect(refused.count == 30)
    #expect(store.counters.overloadedRequests == refused.count)
    #expect(try await store.findOrCreateProfile(try Fixtures.profile("later")).created)
    await store.close()
  }

  @Test("A request whose deadline has passed is dropped before the transaction")
  func dropsExpired() async throws {
    let folder = TemporaryFolder()
    let (store, _) = try makeStore(folder)
    let commits = store.counters.commits
    let results = try await makeProfiles(
      0..<5, in: store, options: RequestOptions(deadline: MonotonicClock.now - 1))
    for result in results {
      #expect(throws: StoreError.deadlinePassed) { _ = try result.get() }
    }
    #expect(store.counters.expiredRequests == 5)
    #expect(store.counters.commits == commits)
    let found = try await store.findProfile(appID: "com.example.shop", externalUserID: "user-0")
    #expect(found == nil)
    let far = RequestOptions(deadline: .max)
    #expect(
      try await store.findOrCreateProfile(try Fixtures.profile("user-0"), options: far).created)
    await store.close()
  }

  @Test("A request that fails leaves nothing behind, and those beside it are kept")
  func isolatesFailures() async throws {
    let folder = TemporaryFolder()
    let (store, _) = try makeStore(folder)
    let broken = AsyncStream<Result<Void, StoreError>>.makeStream()
    let gate = await hold(store)
    var waiting: [Task<ProfileCreation, any Error>] = []
    for user in 0..<20 {
      let profile = try Fixtures.profile("user-\(user)")
      store.findOrCreateProfile(profile, options: RequestOptions()) { _ in }
      // Two rows, of which the second is refused: the first has to go with it.
      store.write(RequestOptions(), { broken.continuation.yield($0) }) {
        (connection) throws(StoreError) -> Void in
        try connection.statement(
          """
          INSERT INTO revocations (profile_id, session_id, expires_at_ms)
          VALUES (x'01', x'01', 1), (x'02', NULL, 1)
          """
        ).run()
      }
      waiting.append(
        Task { try await store.findOrCreateProfile(try Fixtures.profile("user-\(user)")) })
    }
    gate.open()
    var failures = 0
    for await result in broken.stream {
      guard case .failure(let error) = result else {
        Issue.record("not refused")
        continue
      }
      #expect(error.code == .requestFailed)
      failures += 1
      if failures == 20 { break }
    }
    for task in waiting { #expect(try await task.value.created == false) }
    #expect(try await store.revocations(after: nil).revocations.isEmpty)
    #expect(store.counters.failedRequests == 20)
    #expect(store.failure == nil)
    await store.close()
  }

  @Test("A commit that can't be synced fails its batch, and the store writes no more")
  func stopsAfterFailedSync() async throws {
    let folder = TemporaryFolder()
    let (store, faults) = try makeStore(folder)
    let kept = try await store.findOrCreateProfile(try Fixtures.profile("kept")).profile
    let results = try await makeProfiles(0..<10, in: store) { faults.failSyncs(true) }
    for result in results {
      guard case .failure(let error) = result else {
        Issue.record("acknowledged without a sync")
        continue
      }
      #expect(error.code == .failed && error.message.contains(folder.file()))
    }
    // Also when the disk is well again: what the kernel dropped can't be known.
    faults.failSyncs(false)
    let later = try Fixtures.profile("later")
    await #expect { _ = try await store.findOrCreateProfile(later) } throws: { error in
      (error as? StoreError)?.code == .failed
    }
    #expect(store.failure?.code == .failed)
    #expect(try await store.findProfile(kept.id) == kept)
    await store.close()
    let again = try SQLiteStore(path: folder.file())
    #expect(try await again.findProfile(kept.id) == kept)
    #expect(try await again.findOrCreateProfile(later).created)
    await again.close()
  }

  @Test("A full disk fails the batch and stops the store; nothing of the batch is kept")
  func stopsWhenFull() async throws {
    let folder = TemporaryFolder()
    let (store, faults) = try makeStore(folder)
    _ = try await store.findOrCreateProfile(try Fixtures.profile("kept"))
    let results = try await makeProfiles(0..<10, in: store) { faults.fillDisk(true) }
    for result in results {
      guard case .failure(let error) = result else {
        Issue.record("acknowledged on a full disk")
        continue
      }
      #expect(error.code == .failed)
    }
    faults.fillDisk(false)
    await store.close()
    let again = try SQLiteStore(path: folder.file())
    for user in 0..<10 {
      let found = try await again.findProfile(
        appID: "com.example.shop", externalUserID: "user-\(user)")
      #expect(found == nil)
    }
    await again.close()
  }

  @Test("Another program's lock fails requests, not the store")
  func survivesBusy() async throws {
    let folder = TemporaryFolder()
    let (store, _) = try makeStore(folder)
    _ = try await store.findOrCreateProfile(try Fixtures.profile("first"))
    let other = try SQLiteConnection(path: folder.file(), access: .readWrite, vfs: nil)
    try other.execute("BEGIN IMMEDIATE")
    let profile = try Fixtures.profile("user")
    await #expect { _ = try await store.findOrCreateProfile(profile) } throws: { error in
      (error as? StoreError)?.code == .busy
    }
    try other.execute("ROLLBACK")
    #expect(try await store.findOrCreateProfile(profile).created)
    await store.close()
  }

  @Test("The log is copied into the database when it has grown")
  func checkpoints() async throws {
    let folder = TemporaryFolder()
    let (store, _) = try makeStore(folder) { $0.checkpointPages = 1 }
    for user in 0..<3 {
      _ = try await store.findOrCreateProfile(try Fixtures.profile("user-\(user)"))
    }
    await store.close()
    #expect(store.counters.checkpoints == 3)
    #expect(store.counters.failedCheckpoints == 0)
  }

  /// Collects posts and runs them when asked.
  private final class Loop: CompletionTarget {
    private let posted = Mutex<[@Sendable () -> Void]>([])
    private let arrivals: AsyncStream<Void>.Continuation
    let arrived: AsyncStream<Void>

    init() {
      (arrived, arrivals) = AsyncStream<Void>.makeStream()
    }

    func post(_ work: @escaping @Sendable () -> Void) {
      posted.withLock { $0.append(work) }
      arrivals.yield()
    }

    func takePosts() -> [@Sendable () -> Void] {
      posted.withLock { posts in
        defer { posts = [] }
        return posts
      }
    }
  }

  @Test("The completions of a batch reach each target in one post")
  func postsOnce() async throws {
    let folder = TemporaryFolder()
    let (store, _) = try makeStore(folder)
    let loops = [Loop(), Loop()]
    let completed = Mutex([0, 0])
    let gate = await hold(store)
    for user in 0..<100 {
      let options = RequestOptions(target: loops[user % 2])
      store.findOrCreateProfile(try Fixtures.profile("user-\(user)"), options: options) { _ in
        completed.withLock { $0[user % 2] += 1 }
      }
    }
    gate.open()
    for loop in loops { for await _ in loop.arrived { break } }
    await store.close()
    #expect(completed.withLock { $0 } == [0, 0], "completed outside of a post")
    for loop in loops {
      let posts = loop.takePosts()
      #expect(posts.count == 1)
      for post in posts { post() }
    }
    #expect(completed.withLock { $0 } == [50, 50])
  }
}
