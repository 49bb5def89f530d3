/// A file with a part of a catalogue.
public struct CatalogueSource: Hashable, Sendable {
  /// The format of a file.
  public enum Format: Hashable, Sendable {
    /// What Xcode writes; the file's name ends in `.storekit`.
    case storeKit

    /// The service's own; any other name.
    case jsonLines
  }

  public let path: String

  /// The app that a `.storekit` file belongs to, since it doesn't say. Nil: the import's default.
  /// JSON Lines name their apps themselves.
  public let app: String?

  public init(path: String, app: String? = nil) {
    self.path = path
    self.app = app
  }

  /// Reads `FILE` or `APP=FILE`, as the server's option has them.
  ///
  /// The first `=` separates, unless a `/` comes before it.
  public init(argument: String) {
    if let sign = argument.firstIndex(of: "="), !argument[..<sign].contains("/") {
      self.init(
        path: String(argument[argument.index(after: sign)...]), app: String(argument[..<sign]))
    } else {
      self.init(path: argument)
    }
  }

  /// By the name of the file.
  public var format: Format { path.hasSuffix(".storekit") ? .storeKit : .jsonLines }
}
