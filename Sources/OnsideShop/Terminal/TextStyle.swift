/// Whether text is decorated for a terminal.
public struct TextStyle: Sendable, Equatable {
  /// How a piece of text looks.
  enum Look: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// Whether looks are written as escape sequences.
  public var usesColour: Bool

  /// A style of one's own.
  public init(usesColour: Bool) {
    self.usesColour = usesColour
  }

  /// Colour only on a terminal that knows it, and not if `NO_COLOR` is set (no-color.org).
  public init(isTerminal: Bool, environment: [String: String]) {
    usesColour =
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  func apply(_ look: Look, to text: String) -> String {
    usesColour && look != .plain && !text.isEmpty
      ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
  }
}
