import Synchronization
import Testing

@testable import OnsideShop

@Suite("Screens take turns", .timeLimit(.minutes(1))) struct ScreenTurnsTests {
  /// Waits until it is opened, or the task is cancelled.
  private final class Gate: Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    func open() { continuation.finish() }
    func pass() async { for await _ in stream {} }
  }

  private final class Log: Sendable {
    private let state = Mutex<[Int]>([])
    var numbers: [Int] { state.withLock { $0 } }
    func add(_ number: Int) { state.withLock { $0.append(number) } }
  }

  @Test("One screen at a time, in the order in which they came")
  func order() async {
    let turns = ScreenTurns()
    let log = Log()
    let gate = Gate()
    let first = Task { await turns.use { @Sendable in await gate.pass() } }
    while !(await isTaken(turns)) {}
    var others: [Task<Void, Never>] = []
    for number in 0..<3 {
      others.append(Task { await turns.use { @Sendable in log.add(number) } })
      while await waiting(turns) <= number { await Task.yield() }
    }
    #expect(log.numbers == [])
    gate.open()
    await first.value
    for other in others { await other.value }
    #expect(log.numbers == [0, 1, 2])
  }

  private func isTaken(_ turns: ScreenTurns) async -> Bool {
    await Task.yield()
    return turns.isTaken
  }

  private func waiting(_ turns: ScreenTurns) async -> Int { turns.waiting }

  @Test("A list makes room for a screen, and for a refresh")
  func room() async {
    let turns = ScreenTurns()
    for wantsTurn in [true, false] {
      let list = Task {
        await turns.useUntilWanted {
          let never = Gate()
          await never.pass()
          return Task.isCancelled
        }
      }
      while !(await isTaken(turns)) {}
      if wantsTurn {
        #expect(await turns.use { true })
      } else {
        while !list.isCancelled, turns.isTaken {
          turns.refresh()
          await Task.yield()
        }
      }
      #expect(await list.value)
    }
  }

  @Test("A list whose task is cancelled is over")
  func cancelled() async {
    let turns = ScreenTurns()
    let list = Task { await turns.useUntilWanted { await Gate().pass() } }
    while !(await isTaken(turns)) {}
    list.cancel()
    await list.value
    #expect(!turns.isTaken)
  }
}
