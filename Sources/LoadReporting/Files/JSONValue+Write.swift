import JSONText

extension JSONValue {
  /// The value as text, indented by two spaces, with a line feed at the end. Arrays of nothing but
  /// numbers stand on one line.
  public func indented() -> String {
    var text = ""
    write(to: &text, depth: 0)
    return text + "\n"
  }

  /// The value on one line.
  public func compact() -> String {
    var text = ""
    write(to: &text, depth: nil)
    return text
  }

  private var isNumber: Bool {
    if case .number = self { true } else { false }
  }

  private func write(to text: inout String, depth: Int?) {
    switch self {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): JSONText.append(string, to: &text)
    case .array(let elements):
      let depth = elements.allSatisfy(\.isNumber) ? nil : depth
      JSONValue.write(elements, in: ("[", "]"), to: &text, depth: depth) { element, text, depth in
        element.write(to: &text, depth: depth)
      }
    case .object(let members):
      JSONValue.write(members, in: ("{", "}"), to: &text, depth: depth) { member, text, depth in
        JSONText.append(member.name, to: &text)
        text += depth == nil ? ":" : ": "
        member.value.write(to: &text, depth: depth)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], in brackets: (String, String), to text: inout String, depth: Int?,
    each: (Element, inout String, Int?) -> Void
  ) {
    text += brackets.0
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let depth { text += "\n" + String(repeating: "  ", count: depth + 1) }
      each(element, &text, depth.map { $0 + 1 })
    }
    if let depth, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: depth) }
    text += brackets.1
  }
}
