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

  /// Descriptors that connections must leave for everything else, besides those of the loops: the
  /// standard streams, listening sockets, the store, files that are read again.
  ///
  /// They aren't a courtesy. libdispatch looks at its threads through files of `/proc`, and ends
  /// the process when it can't open one: peers must never be able to use up the last descriptor. Of
  /// a limit below 256 it is a quarter, and never less than 32: a server with a store takes some
  /// 20.
  public static let reserve = 64

  /// How many connections a limit of open files has room for; 0 when there is none.
  ///
  /// - Parameters:
  ///   - limit: The limit, as ``raise()`` returns it.
  ///   - loops: How many event loops the process has.
  public static func connections(within limit: Int, loops: Int) -> Int {
    // A loop has an epoll descriptor and one to be woken by; one has a signal descriptor as well.
    max(0, limit - min(reserve, max(32, limit / 4)) - 4 * loops)
  }
}
