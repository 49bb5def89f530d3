import TestSupport
import RPCClient
import RPCCore
import Testing

/// An address book against random events, and a model that counts connections its own way.
@Suite struct AddressBookModelTests {
  private struct Model {
    let balancing: Balancing
    let size: Int
    var random: SeededGenerator
    var now = MonotonicInstant(nanoseconds: 0)
    var book: AddressBook<Int>
    var listed: [Int] = []
    var attempts: [Int] = []
    var open: [(address: Int, isHealthy: Bool)] = []

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      balancing =
        [Balancing.pickFirst, .roundRobin, .leastLoaded].randomElement(using: &random)
        ?? .pickFirst
      size = Int.random(in: 1...3, using: &random)
      self.random = random
      book = AddressBook(AddressBook.Plan(balancing: balancing, size: size))
      relist()
    }

    mutating func relist() {
      let count = Int.random(in: 1...4, using: &random)
      listed = Array((0..<6).shuffled(using: &random).prefix(count))
      book.replace(listed)
      // What belongs to addresses that are gone isn't followed any more.
      attempts.removeAll { !listed.contains($0) }
      open.removeAll { !listed.contains($0.address) }
    }

    /// Begins what there is to begin.
    mutating func dial() {
      while let address = book.next(now: now) { attempts.append(address) }
    }

    /// Something happens.
    mutating func step() {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3: endAttempt(isOpened: Bool.random(using: &random))
      case 4: if let address = takeAttempt() { book.abandoned(address) }
      case 5, 6: closeOne()
      case 7, 8: changeHealth()
      case 9: relist()
      case 10: book.endBackoffs()
      default: now = now.advanced(by: .milliseconds(Int.random(in: 0...400, using: &random)))
      }
      dial()
    }

    private mutating func takeAttempt() -> Int? {
      guard let index = attempts.indices.randomElement(using: &random) else { return nil }
      return attempts.remove(at: index)
    }

    mutating func endAttempt(isOpened: Bool) {
      guard let address = takeAttempt() else { return }
      if isOpened {
        if book.opened(address) { open.append((address, true)) }
      } else {
        book.failed(address, now: now, random: 0.5)
      }
    }

    private mutating func closeOne() {
      guard let index = open.indices.randomElement(using: &random) else { return }
      let closed = open.remove(at: index)
      let lifetime = Duration.milliseconds(Int.random(in: 0...200, using: &random))
      book.closed(
        closed.address, isHealthy: closed.isHealthy, lifetime: lifetime, now: now, random: 0.5)
    }

    private mutating func changeHealth() {
      guard let index = open.indices.randomElement(using: &random) else { return }
      open[index].isHealthy.toggle()
      book.healthChanged(open[index].address, isHealthy: open[index].isHealthy)
    }

    /// What is wrong; nil when nothing is.
    func fault() -> String? {
      if book.connecting != attempts.count {
        return "\(book.connecting) attempts counted of \(attempts.count)"
      }
      for address in listed where open.count(where: { $0.address == address }) > size {
        return "more than \(size) connections to \(address)"
      }
      let isServed = open.contains { $0.isHealthy }
      if isServed, book.isHopeless(now: now) { return "hopeless with a connection" }
      if !isServed, attempts.isEmpty, book.wakeup(now: now) == nil,
        !book.isHopeless(now: now)
      {
        return "calls wait for nothing"
      }
      return nil
    }
  }

  /// A failing seed is in the message.
  @Test func holdsUnderRandomEvents() {
    for seed in 1...500 as ClosedRange<UInt64> {
      var model = Model(seed: seed)
      model.dial()
      for step in 0..<200 {
        model.step()
        if let fault = model.fault() {
          Issue.record("seed \(seed), step \(step): \(fault)")
          return
        }
      }
    }
  }

  /// After the faults have stopped, connections are made within a few back-offs.
  @Test func recovers() {
    for seed in 1...500 as ClosedRange<UInt64> {
      var model = Model(seed: seed)
      model.dial()
      for _ in 0..<100 { model.step() }
      // What doesn't serve ends: only then is there anything to wait for.
      for index in model.open.indices.reversed() where !model.open[index].isHealthy {
        let closed = model.open.remove(at: index)
        model.book.closed(
          closed.address, isHealthy: false, lifetime: nil, now: model.now, random: 0.5)
      }
      var rounds = 0
      while model.open.isEmpty, rounds < 20 {
        rounds += 1
        if let instant = model.book.wakeup(now: model.now) { model.now = instant }
        model.dial()
        while !model.attempts.isEmpty { model.endAttempt(isOpened: true) }
      }
      #expect(!model.open.isEmpty, "seed \(seed)")
    }
  }
}
