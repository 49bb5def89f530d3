/// A text that is never shown: a token, a key, a code.
///
/// Printing, interpolating, dumping and logging it all give `[redacted]`; only `reveal()` gives the
/// text.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let text: String

  /// Wraps a text.
  public init(_ text: String) {
    self.text = text
  }

  /// The text itself, for the one place that needs it.
  public func reveal() -> String {
    text
  }

  /// Always `[redacted]`.
  public var description: String { "[redacted]" }

  /// Always `[redacted]`.
  public var debugDescription: String { "[redacted]" }

  /// Without children.
  public var customMirror: Mirror {
    Mirror(self, children: EmptyCollection<Mirror.Child>())
  }
}
