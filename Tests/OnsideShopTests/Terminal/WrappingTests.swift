import Testing

@testable import OnsideShop

@Suite("Text in the width of a terminal") struct WrappingTests {
  @Test("Lines are broken between words, and go on under the first one")
  func wrapping() {
    let text = "  one two three four five\nshort\n\nword " + String(repeating: "x", count: 30)
    #expect(
      Wrapping.wrapped(text, columns: 20)
        == "  one two three four\n  five\nshort\n\nword\n" + String(repeating: "x", count: 30))
    #expect(Wrapping.wrapped("Number to choose one: ", columns: 21) == "Number to choose one:\n")
    // A command is there to be copied, and a window this narrow is none.
    let command = "    $ onside sandbox approve LOGIN"
    #expect(Wrapping.wrapped(command, columns: 20) == command)
    #expect(Wrapping.wrapped(text, columns: 19) == text)
  }

  @Test(
    "Columns are counted as terminals do",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("😀", 2), ("👩‍👧", 2),
      ("\u{1B}[1mbold\u{1B}[0m", 4),
    ])
  func widths(_ text: String, _ width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test("What doesn't fit is cut, with a mark")
  func cut() {
    #expect(DisplayWidth.cut("coins", to: 5) == "coins")
    #expect(DisplayWidth.cut("coins!", to: 5) == "coin…")
    #expect(DisplayWidth.cut("日本語", to: 4) == "日…")
  }

  @Test("Looks are for terminals, unless NO_COLOR says otherwise")
  func looks() {
    #expect(TextStyle(isTerminal: true, environment: [:]).usesColour)
    #expect(TextStyle(isTerminal: true, environment: ["NO_COLOR": ""]).usesColour)
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      #expect(!TextStyle(isTerminal: true, environment: environment).usesColour)
    }
    #expect(!TextStyle(isTerminal: false, environment: [:]).usesColour)
    #expect(TextStyle(usesColour: true).apply(.red, to: "no") == "\u{1B}[31mno\u{1B}[0m")
    #expect(TextStyle(usesColour: false).apply(.red, to: "no") == "no")
  }
}
