import CLinux

/// A system call that failed.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call's name, for example `bind`.
  public var call: String
  /// The `errno` that it left.
  public var code: Int32

  /// A failed call and the `errno` that it left.
  public init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  /// "bind: Address already in use".
  public var description: String { "\(call): \(Self.text(code))" }

  /// The system's text for an error number.
  public static func text(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress else { return "error \(code)" }
      return String(cString: clinux_error_text(code, base, 256))
    }
  }
}
