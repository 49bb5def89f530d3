/// Asking the person.
extension Shop {
  /// What a person answers to a question that makes room for other screens.
  enum Answer<Value: Sendable>: Sendable {
    case value(Value)

    /// An empty line: back.
    case empty

    /// Another screen was shown meanwhile; show what it is about once more.
    case again

    /// There is no more input.
    case end
  }

  /// What is shown above a question, when its turn has come.
  typealias List = @Sendable () async -> String

  /// Asks for a line; the answer has no spaces around it.
  nonisolated func ask(_ question: String, below list: List? = nil) async -> Answer<String> {
    let terminal = terminal
    let line = await turns.useUntilWanted {
      guard !Task.isCancelled else { return String?.none }
      if let list { terminal.show(await list()) }
      await terminal.write(question)
      return await terminal.readLine()
    }
    guard let line else { return terminal.isAtEnd ? .end : .again }
    let text = line.drop { $0 == " " }
    guard let last = text.lastIndex(where: { $0 != " " }) else { return .empty }
    return .value(String(text[...last]))
  }

  /// Asks until the answer can be read.
  ///
  /// - Parameter complaint: what is said about one that can't.
  func ask<Value: Sendable>(
    _ question: String, below list: @escaping List, or complaint: String,
    _ read: (String) -> Value?
  ) async -> Answer<Value> {
    var list: List? = list
    while true {
      switch await ask(question, below: list) {
      case .empty: return .empty
      case .again: return .again
      case .end: return .end
      case .value(let text):
        if let value = read(text) { return .value(value) }
        complain(complaint)
        list = nil
      }
    }
  }

  /// Asks as often as other screens come in between; nil: no answer.
  nonisolated func askUntilAnswered(_ question: String) async -> String? {
    while !Task.isCancelled {
      switch await ask(question) {
      case .value(let text): return text
      case .again: continue
      case .empty, .end: return nil
      }
    }
    return nil
  }

  /// Reads the number of a row: its place from 0.
  static func place(_ text: String, of count: Int) -> Int? {
    guard let number = Int(text), (1...max(1, count)).contains(number), number <= count else {
      return nil
    }
    return number - 1
  }
}
