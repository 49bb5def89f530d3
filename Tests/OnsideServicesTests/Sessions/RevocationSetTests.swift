import Dispatch
import OnsideDomain
import OnsideStore
import Testing

@testable import OnsideServices

@Suite("The set of revocations")
struct RevocationSetTests {
  private func time(_ milliseconds: Int) -> Timestamp {
    Timestamp(milliseconds: Int64(milliseconds))
  }

  @Test("It has what was added, and nothing else", arguments: [0, 1, 11, 12, 13, 5_000])
  func contains(count: Int) {
    let set = RevocationSet()
    let sessions = (0..<count).map { _ in SessionID.random() }
    for session in sessions + sessions { set.insert(session, expiresAt: time(1)) }
    #expect(set.count == count)
    #expect(sessions.allSatisfy(set.contains))
    #expect(!(0..<1_000).contains { _ in set.contains(SessionID.random()) })
  }

  @Test("Sessions that fall into one place are told apart")
  func handlesCollisions() {
    let set = RevocationSet()
    // One part, one place: only the middle bits differ.
    let sessions = (1...500).map { SessionID(high: $0, low: 7) }
    for session in sessions { set.insert(session, expiresAt: time(1)) }
    #expect(sessions.allSatisfy(set.contains))
    #expect(!set.contains(SessionID(high: 501, low: 7)))
  }

  @Test("Purging forgets the expired and keeps the rest, again and again")
  func purges() {
    let set = RevocationSet()
    let sessions = (0..<2_000).map { _ in SessionID.random() }
    for (number, session) in sessions.enumerated() { set.insert(session, expiresAt: time(number)) }
    for bound in stride(from: 0, through: 2_000, by: 250) {
      set.purge(expiredBefore: time(bound))
      #expect(set.count == 2_000 - bound)
      #expect(!sessions[..<bound].contains(where: set.contains))
      #expect(sessions[bound...].allSatisfy(set.contains))
    }
    set.insert(sessions[0], expiresAt: time(9_000))
    #expect(set.contains(sessions[0]))
  }

  @Test("It can be asked while it grows and shrinks")
  func isConcurrent() async {
    let set = RevocationSet()
    let kept = (0..<200).map { _ in SessionID.random() }
    for session in kept { set.insert(session, expiresAt: time(1_000_000)) }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for round in 0..<50 {
            for _ in 0..<100 { set.insert(.random(), expiresAt: time(round)) }
            set.purge(expiredBefore: time(round + 1))
          }
          return true
        }
        group.addTask {
          (0..<200).allSatisfy { _ in kept.allSatisfy(set.contains) }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(set.count == kept.count)
  }
}
