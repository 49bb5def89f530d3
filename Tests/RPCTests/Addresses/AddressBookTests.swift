import RPCClient
import RPCCore
import Testing

@Suite struct AddressBookTests {
  private typealias Book = AddressBook<String>

  private func at(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }

  private func book(
    _ balancing: Balancing, _ addresses: [String], size: Int = 1
  ) -> Book {
    let backoff = Backoff(
      initial: .milliseconds(100), maximum: .seconds(1), factor: 2, jitter: 0)
    var book = Book(
      Book.Plan(
        balancing: balancing, size: size, backoff: backoff, stagger: .milliseconds(250)))
    book.replace(addresses)
    return book
  }

  /// All addresses that are to be connected to now.
  private func next(_ book: inout Book, _ milliseconds: Int64) -> [String] {
    var addresses: [String] = []
    while let address = book.next(now: at(milliseconds)) { addresses.append(address) }
    return addresses
  }

  private func opened(_ book: inout Book, _ address: String) -> Bool { book.opened(address) }

  private func fail(_ book: inout Book, _ address: String, _ milliseconds: Int64) {
    book.failed(address, now: at(milliseconds), random: 0.5)
  }

  private func close(
    _ book: inout Book, _ address: String, _ milliseconds: Int64, lifetime: Duration? = nil
  ) {
    book.closed(address, lifetime: lifetime, now: at(milliseconds), random: 0.5)
  }

  @Test func anEmptyBookAsksForNothing() {
    var empty = book(.roundRobin, [])
    #expect(next(&empty, 0) == [])
    #expect(empty.wakeup(now: at(0)) == nil)
    #expect(!empty.isHopeless(now: at(0)))
    #expect(empty.isSettled(now: at(0)))
  }

  @Test func pickFirstTriesOneAfterTheOther() {
    var book = book(.pickFirst, ["a", "b", "c"])
    #expect(next(&book, 0) == ["a"])
    #expect(book.wakeup(now: at(0)) == at(250))
    fail(&book, "a", 10)
    #expect(!book.isHopeless(now: at(10)))
    #expect(next(&book, 10) == ["b"])
    #expect(opened(&book, "b"))
    #expect(next(&book, 20) == [])
    #expect(book.wakeup(now: at(20)) == nil)
    #expect(book.isSettled(now: at(20)))
  }

  @Test func pickFirstTriesTheNextBesideOneThatTakesLong() {
    var book = book(.pickFirst, ["a", "b"])
    #expect(next(&book, 0) == ["a"])
    #expect(next(&book, 249) == [])
    #expect(next(&book, 250) == ["b"])
    #expect(opened(&book, "b"))
    // The first one comes too late: it isn't needed.
    #expect(!opened(&book, "a"))
    #expect(next(&book, 300) == [])
  }

  @Test func pickFirstGoesBackToTheFirstThatWorks() {
    var book = book(.pickFirst, ["a", "b"])
    _ = next(&book, 0)
    fail(&book, "a", 0)
    _ = next(&book, 0)
    #expect(opened(&book, "b"))
    close(&book, "b", 5000)
    #expect(next(&book, 5000) == ["a"])
  }

  @Test func pickFirstMakesAllConnectionsToOneAddress() {
    var book = book(.pickFirst, ["a", "b"], size: 3)
    #expect(next(&book, 0) == ["a"])
    #expect(opened(&book, "a"))
    #expect(next(&book, 1) == ["a", "a"])
  }

  @Test func aLoneAddressGetsAllConnectionsAtOnce() {
    var book = book(.pickFirst, ["a"], size: 3)
    #expect(next(&book, 0) == ["a", "a", "a"])
    for _ in 0..<3 { fail(&book, "a", 0) }
    // They failed together: that is one failure, and one attempt is enough to find out.
    #expect(book.isHopeless(now: at(0)))
    #expect(book.wakeup(now: at(0)) == at(100))
    #expect(next(&book, 99) == [])
    #expect(next(&book, 100) == ["a"])
    #expect(!book.isHopeless(now: at(100)))
    #expect(opened(&book, "a"))
    #expect(next(&book, 101) == ["a", "a"])
  }

  @Test func allAddressesAreUsedAndWaitForThemselves() {
    var book = book(.roundRobin, ["a", "b"])
    #expect(next(&book, 0) == ["a", "b"])
    #expect(opened(&book, "a"))
    fail(&book, "b", 0)
    #expect(!book.isHopeless(now: at(0)))
    #expect(book.isSettled(now: at(0)))
    #expect(book.wakeup(now: at(0)) == at(100))
    #expect(next(&book, 100) == ["b"])
    fail(&book, "b", 100)
    #expect(book.wakeup(now: at(100)) == at(300))
    close(&book, "a", 200, lifetime: .seconds(5))
    #expect(next(&book, 200) == ["a"])
    fail(&book, "a", 200)
    #expect(book.isHopeless(now: at(200)))
    book.endBackoffs()
    #expect(!book.isHopeless(now: at(200)))
    #expect(next(&book, 200) == ["a", "b"])
  }

  @Test func aServerThatEndsConnectionsSoonIsPaced() {
    var book = book(.pickFirst, ["a"])
    for _ in 0..<3 {
      #expect(next(&book, 0) == ["a"])
      #expect(opened(&book, "a"))
      close(&book, "a", 0, lifetime: .milliseconds(99))
    }
    #expect(next(&book, 0) == ["a"])
    #expect(opened(&book, "a"))
    close(&book, "a", 0, lifetime: .zero)
    #expect(next(&book, 0) == [])
    #expect(book.wakeup(now: at(0)) == at(100))
    // It is no failure: calls wait.
    #expect(!book.isHopeless(now: at(0)))
    #expect(next(&book, 100) == ["a"])
    #expect(opened(&book, "a"))
    close(&book, "a", 2000, lifetime: .milliseconds(100))
    #expect(next(&book, 2000) == ["a"])
  }

  @Test func aServerThatDoesNotServeIsNoServer() {
    var book = book(.pickFirst, ["a", "b"])
    _ = next(&book, 0)
    #expect(opened(&book, "a"))
    book.healthChanged("a", isHealthy: false)
    #expect(next(&book, 0) == ["b"])
    fail(&book, "b", 0)
    #expect(book.isHopeless(now: at(0)))
    book.healthChanged("a", isHealthy: true)
    #expect(!book.isHopeless(now: at(0)))
    #expect(next(&book, 1000) == [])
    book.healthChanged("a", isHealthy: false)
    book.closed("a", isHealthy: false, lifetime: nil, now: at(1000), random: 0)
    #expect(next(&book, 1000) == ["a"])
  }

  @Test func aNewListKeepsWhatIsKnown() {
    var book = book(.roundRobin, ["a", "b"])
    _ = next(&book, 0)
    #expect(opened(&book, "a"))
    fail(&book, "b", 0)
    book.replace(["c", "a", "a", "b"])
    #expect(book.addresses == ["c", "a", "b"])
    #expect(next(&book, 0) == ["c"])
    book.replace(["b"])
    #expect(book.isHopeless(now: at(0)))
    // What becomes of addresses that are gone doesn't matter.
    #expect(!opened(&book, "c"))
    close(&book, "a", 0)
    fail(&book, "x", 0)
    book.abandoned("y")
    #expect(next(&book, 100) == ["b"])
  }

  @Test func anAbandonedAttemptIsNoFailure() {
    var book = book(.roundRobin, ["a"])
    _ = next(&book, 0)
    book.abandoned("a")
    #expect(next(&book, 0) == ["a"])
  }
}
