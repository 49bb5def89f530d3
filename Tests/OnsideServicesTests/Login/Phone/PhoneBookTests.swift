import OnsideDomain
import OnsideStore
import RPC
import Testing

@testable import OnsideServices

@Suite("The rules of phone login")
struct PhoneBookTests {
  private let app = "app"

  private func at(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
  }

  private func number(_ index: Int) throws -> PhoneNumber {
    try #require(PhoneNumber(e164: "+49\(1_000_000_000 + index)"))
  }

  private func network(_ index: Int) -> ClientNetwork {
    ClientNetwork(address: "10.\(index >> 16).\(index >> 8 & 255).\(index & 255):1")
  }

  /// Sends a code unless a limit forbids it.
  private func send(
    _ book: inout PhoneBook, _ number: PhoneNumber, _ network: ClientNetwork,
    now: MonotonicInstant, code: String = "123456"
  ) -> LoginID? {
    guard book.wait(number, from: network, now: now) == nil else { return nil }
    let id = LoginID.random()
    book.open(
      id, LoginCode(text: code), for: number, app: app, from: network, now: now)
    return id
  }

  @Test("A flood of numbers and addresses fills no table, and pushes no honest user out")
  func bounded() throws {
    var policy = PhoneLoginPolicy()
    policy.capacity = 1_000
    policy.rememberedCapacity = 1_000
    var book = PhoneBook(policy: policy)
    let honest = try #require(send(&book, try number(0), network(0), now: at(0)))
    // Fifty addresses, each as fast as it is let.
    for index in 0..<20_000 {
      _ = send(&book, try number(1 + index), network(1 + index % 50), now: at(0))
      #expect(book.count <= 1_000 && book.rememberedCount <= 4_000)
    }
    // Hundreds of addresses, each as fast as it is let.
    for index in 0..<20_000 {
      _ = send(&book, try number(50_000 + index), network(100 + index % 400), now: at(1))
      _ = book.check(nil, "x", app: app, from: network(100 + index), now: at(1))
      #expect(book.count <= 1_000 && book.rememberedCount <= 4_000)
    }
    guard case .right = book.check(honest, "123456", app: app, from: network(0), now: at(2)) else {
      Issue.record("the honest user's code is gone")
      return
    }
  }

  @Test("One address can't use up what a number may be sent, however long it tries")
  func oneAddressLocksNobodyOut() throws {
    var book = PhoneBook(policy: PhoneLoginPolicy())
    let victim = try number(7)
    for second in stride(from: Int64(0), to: 86_400 * 3, by: 30) {
      _ = send(&book, victim, network(1), now: at(second))
      #expect(book.wait(victim, from: network(2), now: at(second)) == nil)
    }
  }

  @Test("From any number of addresses a number is guessed at a few hundred times a day at most")
  func guessesOfADay() throws {
    var book = PhoneBook(policy: PhoneLoginPolicy())
    let victim = try number(7)
    var days = [Int](repeating: 0, count: 4)
    for second in stride(from: Int64(0), to: 86_400 * 4, by: 20) {
      // An address of its own for each code.
      let id = send(&book, victim, network(Int(second)), now: at(second))
      guard let id else { continue }
      for _ in 0..<10 {
        let check = book.check(id, "000000", app: app, from: network(Int(second)), now: at(second))
        if case .wrong = check { days[Int(second / 86_400)] += 1 }
      }
    }
    #expect(days[0] <= 220 && days[1...].allSatisfy { $0 <= 125 })
    #expect(days.allSatisfy { $0 > 0 })
  }

  @Test("Codes from one address are limited unless logins follow")
  func addressLimit() throws {
    var book = PhoneBook(policy: PhoneLoginPolicy())
    for index in 0..<500 {
      let id = try #require(send(&book, try number(index), network(1), now: at(0)))
      _ = book.check(id, "123456", app: app, from: network(1), now: at(0))
      book.confirm(id, now: at(0))
    }
    var sent = 0
    for index in 0..<100 where send(&book, try number(index), network(1), now: at(0)) != nil {
      sent += 1
    }
    #expect(sent == 30)
    #expect(send(&book, try number(200), network(2), now: at(0)) != nil)
    #expect(send(&book, try number(200), network(1), now: at(59)) == nil)
    #expect(send(&book, try number(200), network(1), now: at(60)) != nil)
  }

  @Test("A claimed code is used unless its login fails")
  func claims() throws {
    var book = PhoneBook(policy: PhoneLoginPolicy())
    let id = try #require(send(&book, try number(1), network(1), now: at(0)))
    func check() -> PhoneBook.Check {
      book.check(id, "123456", app: app, from: network(1), now: at(0))
    }
    guard case .right(let found) = check() else {
      Issue.record("not right")
      return
    }
    #expect(try found == number(1))
    #expect(!book.isUsable(id, now: at(0)))
    guard case .expired = check() else {
      Issue.record("claimed twice")
      return
    }
    book.release(id)
    #expect(book.isUsable(id, now: at(0)))
    guard case .right = check() else {
      Issue.record("not released")
      return
    }
    book.confirm(id, now: at(0))
    book.release(id)
    #expect(!book.isUsable(id, now: at(0)))
    #expect(book.count == 0)
  }

  @Test("Codes have six digits, all of them are drawn, and only the same text matches")
  func codes() {
    var firstDigits: Set<Character> = []
    for _ in 0..<2_000 {
      let code = LoginCode.random().text
      #expect(code.utf8.count == 6)
      #expect(code.utf8.allSatisfy { (0x30...0x39).contains($0) })
      if let first = code.first { firstDigits.insert(first) }
    }
    #expect(firstDigits.count == 10)
    let code = LoginCode(text: "012345")
    #expect(code.matches("012345"))
    for text in ["", "12345", "0123456", "012346", "112345", "０１２３４５", "01234\0"] {
      #expect(!code.matches(text))
    }
    #expect(!"\(code)".contains("012345"))
  }
}
