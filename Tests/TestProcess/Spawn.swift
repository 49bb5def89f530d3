public import Foundation
import Glibc

/// How a child process of a test is started: with no signal blocked, and with no descriptors but
/// the three that every program has.
public struct Spawn {
  /// What one of the three descriptors is.
  public enum Stream {
    /// That of the test.
    case inherited
    /// A descriptor of the test, open until the child is started.
    case descriptor(Int32)
    /// A file that is opened for reading and writing.
    case file(String)
  }

  /// The program's path and its arguments.
  public var words: [String]

  /// Standard input, output and error.
  public var streams: [Stream] = [.file("/dev/null"), .inherited, .inherited]

  /// Nil: that of the test.
  public var environment: [String: String]?

  /// Whether it begins a session of its own: the first terminal that it opens is then its own, and
  /// Ctrl-C reaches it as a signal.
  public var isInOwnSession = false

  /// A program's path and its arguments; `folder` is where it begins, if not where the test is.
  public init(_ words: [String], folder: String? = nil) {
    self.words =
      folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + words } ?? words
  }

  /// Starts it.
  ///
  /// - Returns: Its number, which is the caller's to wait for.
  public func start() throws(POSIXError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip(Int32(0)..., streams) {
      switch stream {
      case .inherited: break
      case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
      case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
      }
    }
    _ = closeFrom(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // 0x80: POSIX_SPAWN_SETSID, which glibc's module hides.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | (isInOwnSession ? 0x80 : 0))
    let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
    var words = words.map { strdup($0) } + [nil]
    var settings = variables.map { strdup($0) } + [nil]
    defer { (words + settings).forEach { free($0) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, self.words[0], &actions, &attributes, &words, &settings)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return identifier
  }
}

/// Closes all descriptors of the child from a number on: glibc's extension, which its module hides.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32
