import ProtobufReflection
import Testing

@Suite("JSON objects one behind the other")
struct JSONSplitterTests {
  private static let stream = "  {\"a\": \"}{\\\"\"}{}\n\n {\"b\": [{}]}\nnonsense\n{\"c\""

  @Test("They are found whatever pieces they come in", arguments: 1...12)
  func pieces(size: Int) {
    var splitter = JSONSplitter()
    var found: [String] = []
    var lines: [Int] = []
    let bytes = Array(Self.stream.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      splitter.append(bytes[start..<min(start + size, bytes.count)])
      while let text = splitter.next() {
        found.append(String(decoding: text.bytes, as: UTF8.self))
        lines.append(text.line)
      }
    }
    #expect(found == ["{\"a\": \"}{\\\"\"}", "{}", "{\"b\": [{}]}", "nonsense\n"])
    #expect(lines == [1, 1, 3, 4])
    let rest = splitter.rest()
    #expect(rest.map { String(decoding: $0.bytes, as: UTF8.self) } == "{\"c\"")
    #expect(rest?.line == 5)
    #expect(splitter.rest() == nil)
  }

  @Test("Space alone is nothing")
  func space() {
    var splitter = JSONSplitter()
    splitter.append(" \n\t\r\n".utf8)
    #expect(splitter.next() == nil)
    #expect(splitter.rest() == nil)
  }
}

extension JSONSplitter.Text: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.bytes == right.bytes && left.line == right.line
  }
}
