import Testing

@testable import OnsideShop

@Suite("Lines between the shop and a person", .timeLimit(.minutes(1)))
struct ShopTerminalTests {
  @Test("Without a terminal everything goes line by line")
  func lines() async {
    let paper = Paper()
    let terminal = paper.terminal()
    paper.type("one\r\ntwo\nthr")
    await terminal.write("First? ")
    #expect(await terminal.readLine() == "one")
    #expect(await terminal.readLine() == "two")
    await terminal.write("Third? ")
    terminal.show("news")
    paper.type("ee")
    paper.end()
    #expect(await terminal.readLine() == "three")
    #expect(await terminal.readLine() == nil)
    #expect(terminal.isAtEnd)
    #expect(paper.text == "First? \nThird? \nnews\n")
  }

  @Test("What comes while a line is typed is shown above it, and the line is drawn again")
  func news() async {
    let paper = Paper()
    let terminal = paper.terminal(isInteractive: true)
    await terminal.write("Choice: ")
    async let line = terminal.readLine()
    paper.type("ab")
    while !paper.text.hasSuffix("ab") { await Task.yield() }
    terminal.show("news")
    #expect(paper.text == "Choice: ab\r\u{1B}[Jnews\nChoice: ab")
    paper.type("\u{7F}c\r")
    #expect(await line == "ac")
    #expect(paper.text.hasSuffix("\r\u{1B}[JChoice: ac\n"))
  }

  @Test("A question that takes several rows is cleared as a whole", arguments: [20, 27, 28, 40])
  func rows(_ columns: Int) async {
    let paper = Paper()
    let terminal = paper.terminal(isInteractive: true, columns: columns)
    await terminal.write("Enter a number, or more: ")
    async let line = terminal.readLine()
    paper.type("12345")
    while !paper.text.hasSuffix("5") { await Task.yield() }
    let before = paper.text
    terminal.show("news")
    // 25 columns of the question, which is broken before its last word where they don't fit, and 5.
    let rows = columns == 20 ? 1 : columns < 30 ? 1 : 0
    let up = rows == 0 ? "" : "\u{1B}[\(rows)A"
    #expect(paper.text == before + "\r\(up)\u{1B}[Jnews\n" + before)
    paper.type("\r")
    #expect(await line == "12345")
  }

  @Test("A question that is given up is taken back; the next one gets the next line")
  func givenUp() async {
    let paper = Paper()
    let terminal = paper.terminal(isInteractive: true)
    await terminal.write("Choice: ")
    let reading = Task { await terminal.readLine() }
    paper.type("ab")
    while !paper.text.hasSuffix("ab") { await Task.yield() }
    reading.cancel()
    #expect(await reading.value == nil)
    #expect(!terminal.isAtEnd)
    #expect(paper.text.hasSuffix("\r\u{1B}[J"))
    await terminal.write("Code: ")
    paper.type("1\r2\r")
    #expect(await terminal.readLine() == "1")
    // What was typed ahead is seen behind its question.
    await terminal.write("More: ")
    #expect(await terminal.readLine() == "2")
    #expect(paper.text.hasSuffix("Code: 1\nMore: 2\n"))
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await terminal.readLine()
    }
    #expect(await cancelled.value == nil)
  }

  @Test("A closed terminal shows nothing, and whoever reads gets nothing")
  func closed() async {
    let paper = Paper()
    let terminal = paper.terminal(isInteractive: true)
    await terminal.write("Choice: ")
    async let line = terminal.readLine()
    paper.type("a")
    while !paper.text.hasSuffix("a") { await Task.yield() }
    terminal.close()
    #expect(await line == nil)
    terminal.show("late")
    await terminal.write("later")
    #expect(await terminal.readLine() == nil)
    #expect(paper.text == "Choice: a\n" && terminal.isAtEnd)
  }
}
