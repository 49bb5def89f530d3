/// The name of a method as people type it: `pkg.Service/Method` or `pkg.Service.Method`.
public struct MethodName: Sendable, Hashable, CustomStringConvertible {
  /// The full name of the service.
  public let service: String

  /// The name within the service.
  public let method: String

  /// Reads a name; nil when it has no service or no method.
  public init?(_ text: String) {
    let text = text.hasPrefix("/") ? text.dropFirst() : text[...]
    guard let end = text.lastIndex(of: "/") ?? text.lastIndex(of: ".") else { return nil }
    service = String(text[..<end])
    method = String(text[text.index(after: end)...])
    guard !service.isEmpty, !method.isEmpty, !service.contains("/") else { return nil }
  }

  /// `pkg.Service/Method`.
  public var description: String { "\(service)/\(method)" }
}
