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
    var spawn = Spawn([path] + arguments)
    spawn.streams = [
      standardInput == nil ? .file("/dev/null") : stream(standardInput, isRead: true),
      stream(standardOutput, isRead: false), stream(standardError, isRead: false),
    ]
    spawn.environment = environment
    processIdentifier = try spawn.start()
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

  private func stream(_ stream: Any?, isRead: Bool) -> Spawn.Stream {
    switch stream {
    case let pipe as Pipe:
      let handle = isRead ? pipe.fileHandleForReading : pipe.fileHandleForWriting
      return .descriptor(handle.fileDescriptor)
    case let handle as FileHandle where handle !== FileHandle.nullDevice:
      return .descriptor(handle.fileDescriptor)
    case is FileHandle: return .file("/dev/null")
    default: return .inherited
    }
  }
}
