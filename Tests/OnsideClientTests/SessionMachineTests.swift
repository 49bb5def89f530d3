import Testing

@testable import OnsideClient

@Suite struct SessionMachineTests {
  private let session = Session(token: "t", profileID: "p", expiresAtMilliseconds: 1)

  private func signedIn(_ user: String = "anna") throws -> SessionMachine {
    var machine = SessionMachine()
    let attempt = try start(&machine, user)
    _ = machine.finish(attempt, with: session)
    return machine
  }

  private func start(
    _ machine: inout SessionMachine, _ user: String
  ) throws -> SessionMachine.Attempt {
    guard case .start(let attempt) = machine.begin(.externalUserID(user)) else {
      throw Unexpected()
    }
    return attempt
  }

  private func begin(
    _ machine: inout SessionMachine, _ user: String
  ) -> SessionMachine.Begin {
    machine.begin(.externalUserID(user))
  }

  private struct Unexpected: Error {}

  @Test func aLoginEndsInASession() throws {
    #expect(try signedIn().current == .signedIn(session))
  }

  @Test func aSecondLoginOfTheSameUserWaitsForTheFirst() throws {
    var machine = SessionMachine()
    _ = try start(&machine, "anna")
    #expect(machine.current == .signingIn)
    #expect(begin(&machine, "anna") == .wait)
  }

  @Test func aLoginOfAnotherUserIsRefusedUntilALogout() throws {
    var machine = SessionMachine()
    _ = try start(&machine, "anna")
    #expect(begin(&machine, "bert") == .refused)
    machine = try signedIn("anna")
    #expect(begin(&machine, "bert") == .refused)
    let left = machine.signOut()
    #expect(left == session)
    _ = try start(&machine, "bert")
  }

  @Test func aLoginOfTheUserWhoIsSignedInKeepsTheSession() throws {
    var machine = try signedIn("anna")
    let generation = machine.generation
    #expect(begin(&machine, "anna") == .alreadySignedIn(session))
    #expect(machine.generation == generation)
  }

  @Test func aLogoutOvertakesALoginUnderWay() throws {
    var machine = SessionMachine()
    let attempt = try start(&machine, "anna")
    let left = machine.signOut()
    #expect(left == nil)
    let isInstalled = machine.finish(attempt, with: session)
    #expect(!isInstalled)
    #expect(machine.current == .signedOut)
  }

  @Test func anOldAttemptCantFailANewOne() throws {
    var machine = SessionMachine()
    let old = try start(&machine, "anna")
    _ = machine.signOut()
    let new = try start(&machine, "bert")
    machine.fail(old)
    #expect(machine.current == .signingIn)
    let isInstalled = machine.finish(new, with: session)
    #expect(isInstalled)
  }

  /// Cases B7 and B8: a change of the user is explicit, and whatever belongs to the one before is
  /// known by its generation.
  @Test func everyChangeOfTheUserIsANewGeneration() throws {
    var machine = SessionMachine()
    var seen: Set<UInt64> = [machine.generation]
    let attempt = try start(&machine, "anna")
    #expect(seen.insert(machine.generation).inserted)
    machine.fail(attempt)
    #expect(seen.insert(machine.generation).inserted)
    _ = machine.resume(session)
    #expect(seen.insert(machine.generation).inserted)
    machine.lost(in: machine.generation)
    #expect(seen.insert(machine.generation).inserted)
    _ = machine.signOut()
    #expect(seen.insert(machine.generation).inserted)
  }

  @Test func aLossThatIsReportedLateTouchesNoLaterSession() throws {
    var machine = try signedIn("anna")
    let old = machine.generation
    _ = machine.signOut()
    let attempt = try start(&machine, "bert")
    _ = machine.finish(attempt, with: session)
    machine.lost(in: old)
    #expect(machine.current == .signedIn(session))
  }

  @Test func aKeptSessionIsTakenUpOnlyWhileNobodyIsSignedIn() throws {
    var machine = try signedIn()
    var isResumed = machine.resume(session)
    #expect(!isResumed)
    _ = machine.signOut()
    isResumed = machine.resume(session)
    #expect(isResumed)
    #expect(machine.current == .signedIn(session))
  }
}
