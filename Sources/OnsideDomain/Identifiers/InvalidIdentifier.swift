/// An identifier from outside that can't be used, and why.
public struct InvalidIdentifier: Error, Hashable, Sendable {
  /// What is wrong with an identifier.
  public enum Problem: Hashable, Sendable {
    case empty

    /// More bytes than its limit.
    case tooLong(bytes: Int, limit: Int)

    /// A control character (U+0000 to U+001F, U+007F to U+009F) at a byte offset.
    case controlCharacter(Unicode.Scalar, offset: Int)

    /// Not UTF-8 from a byte offset on.
    case invalidUTF8(offset: Int)
  }

  /// What the identifier identifies: "product identifier".
  public let field: String

  /// Where it stood in a list, from 0; nil if it wasn't in one.
  public let position: Int?

  public let problem: Problem

  /// The value in quotation marks, safe to show, cut if it is long.
  public let value: String

  public init(field: String, position: Int? = nil, problem: Problem, value: String) {
    self.field = field
    self.position = position
    self.problem = problem
    self.value = value
  }
}

extension InvalidIdentifier: CustomStringConvertible {
  /// One line that names the field, its position, the value and the limit.
  public var description: String {
    let name = position.map { "\(field) at position \($0)" } ?? field
    switch problem {
    case .empty:
      return "\(name) is empty"
    case .tooLong(let bytes, let limit):
      return "\(name) has \(bytes) bytes, the limit is \(limit): \(value)"
    case .controlCharacter(let scalar, let offset):
      let code = String(scalar.value, radix: 16, uppercase: true)
      let padded = String(repeating: "0", count: max(0, 4 - code.utf8.count)) + code
      return "\(name) has the control character U+\(padded) at byte \(offset): \(value)"
    case .invalidUTF8(let offset):
      return "\(name) isn't UTF-8 at byte \(offset): \(value)"
    }
  }
}
