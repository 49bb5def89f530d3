public import Foundation
import Glibc
import Synchronization

/// A child process of a test, used as Foundation's `Process` is.
///
/// Foundation's own walks through all descriptors of the process before it starts a child, and
/// overruns its list when other threads open many meanwhile, as the tests of connections do. This
/// one lets `posix_spawn` close them.
public final class TestProcess: @unchecked Sendable {
  /// The program. Set before `run`, like the other properties.
  public var executableURL: URL?

  /// Without the program's name.
  public var arguments: [String] = []

  /// Nil: that of the test.
  public var environment: [String: String]?

  /// A `Pipe` or a `FileHandle`; nil: nothing to read.
  public var standardInput: Any?

  /// A `Pipe` or a `FileHandle`; nil: that of the test.
  public var standardOutput: Any?

  /// A `Pipe` or a `FileHandle`; nil: that of the test.
  public var standardError: Any?

  /// Called once, when the process has ended.
  public var terminationHandler: (@Sendable (TestProcess) -> Void)?

  /// The process's number, once it runs.
  public private(set) var processIdentifier: pid_t = 0

  private let ending = Mutex<Int32?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// A process that doesn't run yet.
  public init() {}

  /// The exit code, or the number of the signal that ended it; -1 while it runs.
  public var terminationStatus: Int32 { ending.withLock { $0 } ?? -1 }

  /// Starts the program.
  public func run() throws {
    guard let path = executableURL?.path else { throw POSIXError(.EINVAL) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    connect(standardInput, STDIN_FILENO, &actions)
    connect(standardOutput, STDOUT_FILENO, &actions)
    connect(standardError, STDERR_FILENO, &actions)
    _ = closeFrom(&actions, 3)
    let code = spawn(path, &actions)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    // The child has its own; without these the other ends would never see an end.
    try (standardInput as? Pipe)?.fileHandleForReading.close()
    try (standardOutput as? Pipe)?.fileHandleForWriting.close()
    if (standardError as? Pipe) !== (standardOutput as? Pipe) {
      try (standardError as? Pipe)?.fileHandleForWriting.close()
    }
    Thread.detachNewThread { self.waitForEnd() }
  }

  /// Waits for the end; blocks, so not in a task.
  public func waitUntilExit() {
    ended.wait()
    ended.signal()
  }

  /// Sends SIGINT.
  public func interrupt() { signal(SIGINT) }

  /// Sends SIGTERM.
  public func terminate() { signal(SIGTERM) }

  private func signal(_ number: Int32) {
    ending.withLock { if $0 == nil { _ = kill(processIdentifier, number) } }
  }

  private func waitForEnd() {
    var status: Int32 = 0
    var information = siginfo_t()
    // The number stays the process's until it is reaped, below, under the lock.
    while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) < 0,
      errno == EINTR
    {}
    ending.withLock { ending in
      while waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
      ending = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }
    ended.signal()
    terminationHandler?(self)
  }

  private func connect(
    _ stream: Any?, _ number: Int32, _ actions: inout posix_spawn_file_actions_t
  ) {
    switch stream {
    case let pipe as Pipe:
      let handle = number == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
      posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, number)
    case let handle as FileHandle where handle !== FileHandle.nullDevice:
      posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, number)
    case is FileHandle:
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    default:
      guard number == STDIN_FILENO else { return }
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0)
    }
  }

  private func spawn(_ path: String, _ actions: inout posix_spawn_file_actions_t) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup($0) } + [nil]
    defer { (words + settings).forEach { free($0) } }
    return posix_spawn(&processIdentifier, path, &actions, &attributes, &words, &settings)
  }
}

/// Closes all descriptors of the child from a number on: glibc's extension, which its module hides.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32
