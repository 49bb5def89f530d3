import TestSupport
import OnsideStore
import RPC
import Testing

@testable import OnsideServices

@Suite("Logins that wait")
struct PendingTableTests {
  private func at(_ seconds: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(seconds) * 1_000_000_000)
  }

  private func network(_ index: Int) -> ClientNetwork { ClientNetwork(address: "n\(index)") }

  private func insert(
    _ table: inout PendingTable<Int>, _ value: Int, from index: Int, at second: Int = 0
  ) -> LoginID {
    let id = LoginID.random()
    table.insert(
      id, value, from: network(index), expiresAt: at(second + 10), now: at(second))
    return id
  }

  @Test("They are found until they expire or are removed, oldest first")
  func life() {
    var table = PendingTable<Int>(capacity: 10, networkCapacity: 10)
    let one = insert(&table, 1, from: 1, at: 0)
    let two = insert(&table, 2, from: 1, at: 5)
    #expect(table.all(now: at(5)).map(\.value) == [1, 2])
    #expect(table.find(one, now: at(9)) == 1)
    #expect(table.find(one, now: at(10)) == nil)
    #expect(table.all(now: at(10)).map(\.value) == [2])
    table.update(two) { $0 = 22 }
    #expect(table.find(two, now: at(10)) == 22)
    table.remove(two)
    table.remove(two)
    #expect(table.find(two, now: at(10)) == nil)
    let three = insert(&table, 3, from: 1, at: 11)
    #expect(table.count == 1)
    #expect(table.find(three, now: at(11)) == 3)
  }

  @Test("A network loses its own oldest, and the one that holds most makes room for others")
  func fairness() {
    var table = PendingTable<Int>(capacity: 8, networkCapacity: 5)
    let honest = insert(&table, 100, from: 0)
    let greedy = (0..<7).map { insert(&table, $0, from: 1) }
    #expect(greedy.map { table.find($0, now: at(0)) } == [nil, nil, 2, 3, 4, 5, 6])
    let others = (0..<4).map { insert(&table, $0, from: 2 + $0) }
    #expect(table.count == 8)
    #expect(table.find(honest, now: at(0)) == 100)
    #expect(others.allSatisfy { table.find($0, now: at(0)) != nil })
    #expect(greedy.map { table.find($0, now: at(0)) } == [nil, nil, nil, nil, 4, 5, 6])
  }

  @Test("Whatever happens, it stays within its bounds and loses nobody's only login needlessly")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var table = PendingTable<Int>(capacity: 50, networkCapacity: 10)
    var alive: [LoginID] = []
    for step in 0..<20_000 {
      let second = step / 100
      let roll = Int.random(in: 0..<10, using: &random)
      if roll < 7 || alive.isEmpty {
        // Two greedy networks and few others: these never make room.
        let isGreedy = roll < 6
        let index = isGreedy ? roll % 2 : Int.random(in: 2..<8, using: &random)
        let held = alive.compactMap { table.find($0, now: at(second)) }.filter { $0 == index }.count
        guard isGreedy || held == 0 else { continue }
        alive.append(insert(&table, index, from: index, at: second))
      } else {
        table.remove(alive.remove(at: Int.random(in: 0..<alive.count, using: &random)))
      }
      #expect(table.count <= 50)
      alive.removeAll { table.find($0, now: at(second)) == nil }
      let listed = table.all(now: at(second))
      #expect(listed.count == alive.count)
      #expect(listed.filter { $0.value < 2 }.count <= 20)
      if alive.count > 200 { break }
    }
  }
}

@Suite("Networks of peers")
struct ClientNetworkTests {
  @Test(
    "Ports don't count; IPv6 counts by its first 64 bits",
    arguments: [
      ("192.0.2.1:40000", "192.0.2.1"), ("[2001:db8:1:2:3:4:5:6]:443", "[2001:db8:1:2::/64]"),
      ("[::1]:40512", "[::/64]"), ("[::ffff:192.0.2.1]:40512", "192.0.2.1"),
      ("in-process", "in-process"), ("[nonsense]:1", "[nonsense]"),
    ])
  func names(_ address: String, _ name: String) {
    #expect(ClientNetwork(address: address).name == name)
  }
}
