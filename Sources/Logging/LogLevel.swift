/// How much a log line matters, and from where on lines are written.
public enum LogLevel: UInt8, Sendable, CaseIterable, Comparable {
  /// For who is looking for a fault in the program itself.
  case debug

  /// What happens in ordinary operation.
  case info

  /// Something that somebody should look at, though all goes on.
  case warning

  /// Something failed.
  case error

  public static func < (a: LogLevel, b: LogLevel) -> Bool {
    a.rawValue < b.rawValue
  }

  /// As it is written on a line and on the command line: `debug`, `info`, `warning`, `error`.
  public var name: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }

  /// The level of that name; nil: there is none.
  public init?(name: String) {
    guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }
}
