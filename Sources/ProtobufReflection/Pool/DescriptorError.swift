/// Why descriptors can't be used.
public struct DescriptorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file that is wrong; empty: the set of files as a whole.
  public let file: String

  /// What is wrong.
  public let reason: String

  /// Makes an error.
  public init(file: String, reason: String) {
    self.file = file
    self.reason = reason
  }

  /// One line for people.
  public var description: String { file.isEmpty ? reason : "\(file): \(reason)" }
}
