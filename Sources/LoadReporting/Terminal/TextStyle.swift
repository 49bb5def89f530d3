import Glibc

/// Whether text is decorated for a terminal.
public struct TextStyle: Sendable, Equatable {
  /// How a piece of text looks.
  public enum Look: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
  }

  /// Whether looks are written as escape sequences.
  public var usesColour: Bool

  /// Plain text.
  public static let plain = TextStyle(usesColour: false)

  /// A style of one's own.
  public init(usesColour: Bool) {
    self.usesColour = usesColour
  }

  /// Colour only on a terminal, and not if `NO_COLOR` is set (no-color.org) or the terminal is
  /// dumb.
  public init(descriptor: Int32) {
    self.init(isTerminal: isatty(descriptor) == 1) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  init(isTerminal: Bool, environment: (String) -> String?) {
    let isUnwanted = !(environment("NO_COLOR") ?? "").isEmpty || environment("TERM") == "dumb"
    usesColour = isTerminal && !isUnwanted
  }

  package func apply(_ look: Look, to text: String) -> String {
    usesColour && look != .plain ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
  }
}
