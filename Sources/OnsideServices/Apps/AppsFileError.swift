/// Why a file of registered apps can't be used, and where.
public struct AppsFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as it was named.
  public let file: String

  /// From 1; nil if the file as a whole is meant.
  public let line: Int?

  /// In bytes, from 1; nil if the file as a whole is meant.
  public let column: Int?

  /// What is wrong, with the value, and what to do.
  public let reason: String

  /// Describes what is wrong with a file.
  public init(file: String, line: Int? = nil, column: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.column = column
    self.reason = reason
  }

  /// `file:line:column: reason`.
  public var description: String {
    let place = [line, column].compactMap { $0.map(String.init) }
    return ([file] + place).joined(separator: ":") + ": " + reason
  }
}
