import CLinux

/// The process's limit of open files: each connection takes one.
public enum DescriptorLimit {
  /// Raises the limit as far as the system allows without privileges, and returns it.
  @discardableResult
  public static func raise() -> Int {
    Int(clamping: clinux_raise_descriptor_limit())
  }

  /// The limit in force.
  public static var current: Int { Int(clamping: clinux_descriptor_limit()) }
}
