import Foundation
import Testing

@testable import OnsideClient

/// The files that outlive the process.
@Suite struct FileStateStoreTests {
  private let directory = NSTemporaryDirectory() + "onside-state-\(UUID().uuidString)"

  private func store() throws -> FileStateStore { try FileStateStore(directory: directory) }

  private func file(_ name: String) -> String { "\(directory)/\(name).state" }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func aPieceComesBack() async throws {
    let name = "queue-../x y"
    var first: FileStateStore? = try store()
    try await first?.save(name, revision: 1, bytes("one"))
    try await first?.save(name, revision: 3, bytes("three"))
    try await first?.save(name, revision: 2, bytes("two"))
    #expect(try await first?.load(name) == bytes("three"))
    #expect(try await first?.load("other") == nil)
    first = nil
    let second = try store()
    #expect(try await second.load(name) == bytes("three"))
    try await second.remove(name)
    #expect(try await second.load(name) == nil)
    try await second.remove(name)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["lock"])
  }

  /// Whatever a torn write has left: the piece is the new one or the one before, never something
  /// else.
  @Test func aTornWriteLeavesTheOneBefore() async throws {
    let store = try store()
    try await store.save("q", revision: 1, bytes("before"))
    try await store.save("q", revision: 2, bytes("after"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: file("q")))
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: URL(fileURLWithPath: file("q")))
      #expect(try await store.load("q") == bytes("before"), "\(length) bytes")
      var flipped = whole
      flipped[length] ^= 1
      try flipped.write(to: URL(fileURLWithPath: file("q")))
      #expect(try await store.load("q") == bytes("before"), "byte \(length)")
    }
    try FileManager.default.removeItem(atPath: file("q"))
    #expect(try await store.load("q") == bytes("before"))
  }

  @Test func aDirectoryBelongsToOneStore() throws {
    let first = try store()
    let error = #expect(throws: OnsideError.self) { try store() }
    #expect(error?.code == .storeFailed)
    #expect(error?.message.contains(directory) == true)
    withExtendedLifetime(first) {}
  }

  /// A process that is started at that moment has a copy of every descriptor for a while.
  @Test func aDirectoryThatWasGivenUpIsFreeWhoeverHasItsDescriptor() async throws {
    let first = try store()
    let lock = directory + "/lock"
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let held = descriptors.compactMap { Int32($0) }.first { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))
        == lock
    }
    let copy = dup(try #require(held))
    defer { close(copy) }
    await first.close()
    let second = try store()
    try await second.save("q", revision: 1, bytes("one"))
  }

  @Test func onlyTheUserCanReadIt() async throws {
    let store = try store()
    try await store.save("session", revision: 1, bytes("secret"))
    for path in [directory, file("session")] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0)
    }
  }

  @Test func aDirectoryThatCantBeMadeIsNamed() {
    let error = #expect(throws: OnsideError.self) {
      try FileStateStore(directory: "/proc/onside/state")
    }
    #expect(error?.message.contains("/proc/onside") == true)
  }
}
