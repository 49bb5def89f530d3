import RPCClient
import RPCCore
import Testing

@Suite struct PickerTests {
  /// The picks of so many calls, when none ends meanwhile.
  private func picks(_ balancing: Balancing, _ calls: Int, load: [Int]) -> [Int] {
    var picker = Picker(balancing)
    var load = load
    return (0..<calls).map { _ in
      let index = picker.pick(load.count) { load[$0] }
      load[index] += 1
      return index
    }
  }

  @Test func roundRobinTakesEachInTurnWhateverItsLoad() {
    let picks = picks(.roundRobin, 9, load: [0, 1000, 0])
    for index in 0..<3 { #expect(picks.count { $0 == index } == 3) }
    for (one, next) in zip(picks, picks.dropFirst()) { #expect(next == (one + 1) % 3) }
  }

  @Test func leastLoadedEvensTheLoadOut() {
    let picks = picks(.leastLoaded, 12, load: [5, 0, 3, 0])
    #expect(picks.count { $0 == 0 } == 0)
    #expect(picks.count { $0 == 1 } == 5)
    #expect(picks.count { $0 == 2 } == 2)
    #expect(picks.count { $0 == 3 } == 5)
  }

  @Test func leastLoadedSpreadsCallsThatEndAtOnce() {
    var picker = Picker(.leastLoaded)
    let picks = Set((0..<4).map { _ in picker.pick(4) { _ in 0 } })
    #expect(picks == [0, 1, 2, 3])
  }

  @Test func pickFirstTakesTheLessBusyOfTwo() {
    let picks = picks(.pickFirst, 100, load: [0, 0, 0, 1000])
    #expect(picks.count { $0 == 3 } == 0)
  }

  @Test(arguments: [Balancing.pickFirst, .roundRobin, .leastLoaded])
  func aShrinkingListIsNeverLeft(balancing: Balancing) {
    var picker = Picker(balancing)
    for count in [9, 9, 9, 9, 9, 9, 9, 9, 2, 1, 1, 5] {
      let index = picker.pick(count) { $0 }
      #expect((0..<count).contains(index))
    }
  }
}
