import Testing

@testable import OnsideShop

@Suite("A line that is being typed") struct LineEditorTests {
  private func typed(_ keys: String, into editor: inout LineEditor) -> [LineEditor.Change] {
    keys.utf8.map { editor.take($0) }.filter { $0 != .text && $0 != .none }
  }

  private func line(_ keys: String) -> String? {
    var editor = LineEditor()
    guard case .line(let line)? = typed(keys, into: &editor).first else { return nil }
    return line
  }

  @Test(
    "Keys make a line",
    arguments: [
      ("coins\n", "coins"), ("coins\r", "coins"), ("\n", ""),
      ("coinx\u{7F}s\n", "coins"), ("\u{7F}\u{7F}a\u{8}b\n", "b"),
      ("nonsense\u{15}b\n", "b"), ("two words \u{17}\u{17}w\n", "w"),
      ("Münzen \u{7F}\u{7F}\u{7F}e\n", "Münze"), ("👩‍👧\u{7F}a\n", "a"),
      ("\u{1B}[A\u{1B}[1;5Ca\u{1B}OPb\n", "ab"), ("a\u{1}\u{0}\tb\n", "ab"), ("a\u{4}b\n", "ab"),
    ])
  func keys(_ keys: String, _ expected: String) {
    #expect(line(keys) == expected)
  }

  @Test("Ctrl-D ends the input on an empty line only")
  func end() {
    var editor = LineEditor()
    #expect(editor.take(4) == .end)
    #expect(typed("a\u{4}", into: &editor) == [])
    #expect(typed("\u{7F}\u{4}", into: &editor) == [.end])
  }

  @Test("A character is seen when it is complete")
  func multibyte() {
    var editor = LineEditor()
    let bytes = Array("é€😀".utf8)
    let changes = bytes.map { editor.take($0) }
    #expect(
      changes.map { $0 == .text } == [false, true, false, false, true, false, false, false, true])
    #expect(editor.text == "é€😀")
    for byte in Array("😀".utf8).prefix(3) { _ = editor.take(byte) }
    #expect(editor.text == "é€😀")
  }

  @Test("What isn't UTF-8 is repaired, and a line is bounded")
  func bounds() {
    var editor = LineEditor()
    for byte: UInt8 in [0xFF, 0x61, 0xE2, 0x82] { _ = editor.take(byte) }
    #expect(editor.take(0x0A) == .line("\u{FFFD}a\u{FFFD}"))
    for _ in 0..<LineEditor.maximumBytes + 10 { _ = editor.take(0x61) }
    guard case .line(let line) = editor.take(0x0A) else {
      Issue.record("no line")
      return
    }
    #expect(line.utf8.count == LineEditor.maximumBytes)
  }
}
