/// Why a catalogue can't be used, and where.
public struct CatalogueError: Error, Hashable, Sendable {
  /// The kind of a `CatalogueError`; more may come.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The file can't be opened or read.
    public static let unreadable = Code(name: "unreadable")

    /// The file isn't JSON, or isn't of the format that its name says.
    public static let malformed = Code(name: "malformed")

    /// A value is missing or can't be used.
    public static let invalidValue = Code(name: "invalidValue")

    /// A product, an app or a storefront is there twice.
    public static let duplicate = Code(name: "duplicate")

    /// There is no memory for it.
    public static let outOfMemory = Code(name: "outOfMemory")
  }

  public let code: Code

  /// The file as it was named.
  public let file: String

  /// From 1; nil if the file as a whole is meant.
  public let line: Int?

  /// In bytes, from 1; nil if the line as a whole is meant.
  public let column: Int?

  /// What is wrong, with the value.
  public let reason: String

  public init(_ code: Code, file: String, line: Int? = nil, column: Int? = nil, reason: String) {
    self.code = code
    self.file = file
    self.line = line
    self.column = column
    self.reason = reason
  }
}

extension CatalogueError: CustomStringConvertible {
  /// `file:line:column: reason`.
  public var description: String {
    let place = [line, column].compactMap { $0.map(String.init) }
    return ([file] + place).joined(separator: ":") + ": " + reason
  }
}

/// Why a part of a catalogue can't be used; whoever reads the file adds which.
package struct CatalogueProblem: Error, Hashable {
  let code: CatalogueError.Code
  package let reason: String

  /// Nil where only the reader of the file knows.
  package let position: JSONPosition?

  init(_ code: CatalogueError.Code, _ reason: String, at position: JSONPosition? = nil) {
    self.code = code
    self.reason = reason
    self.position = position
  }

  /// The same with its file; `line` is where it is if the problem doesn't say.
  func error(file: String, line: Int? = nil) -> CatalogueError {
    CatalogueError(
      code, file: file, line: position?.line ?? line, column: position?.column, reason: reason)
  }
}
