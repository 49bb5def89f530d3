import Dispatch
import Foundation
import Glibc
import Synchronization
import TestProcess

/// How a process ended, and what it wrote.
struct ProcessEnd: Sendable {
  /// The exit status; the negative number of a signal that ended it.
  let status: Int32
  let output: String
  let errors: String
}

/// A process that is running, with everything that it writes.
///
/// Made with `posix_spawn` and blocking reads on queues of its own: Foundation's `Process` goes
/// through dispatch sources, which crash now and then when many come and go at once.
final class RunningProcess: Sendable {
  private let record = ProcessRecord()
  /// Its number in the system.
  let identifier: pid_t

  /// Starts an executable of this package, or one at an absolute path.
  init(_ name: String, _ arguments: [String], folder: String = "/") throws {
    let path = name.hasPrefix("/") ? name : Executables.folder + "/" + name
    guard access(path, X_OK) == 0 else {
      throw EndToEndFailure("\(path) isn't there; build the package first")
    }
    let child = try ChildProcess.start(path, arguments, folder: folder)
    let identifier = child.identifier
    self.identifier = identifier
    let record = record
    read(child.output) { text in
      record.update { if let text { $0.output += text } else { $0.openStreams -= 1 } }
    }
    read(child.errors) { text in
      record.update { if let text { $0.errors += text } else { $0.openStreams -= 1 } }
    }
    DispatchQueue(label: "process-end").async {
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7F
      let ending = signal == 0 ? status >> 8 & 0xFF : -signal
      record.update { $0.status = ending }
    }
  }

  /// Calls `body` with what is read, and with nil at the end.
  private func read(_ descriptor: Int32, _ body: @escaping @Sendable (String?) -> Void) {
    DispatchQueue(label: "process-output").async {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        body(String(decoding: buffer[..<count], as: UTF8.self))
      }
      close(descriptor)
      body(nil)
    }
  }

  /// Sends a signal, unless the process has ended.
  func signal(_ number: Int32) {
    if record.value.status == nil { kill(identifier, number) }
  }

  /// The first line of its standard output; nil: it ended without one.
  func firstLine() async -> String? {
    await record.wait { $0.output.contains("\n") || $0.isOver }
    return record.value.output.split(separator: "\n").first.map(String.init)
  }

  /// Waits until a text is so often in what it wrote to standard error, or it has ended.
  func waitForErrors(_ text: String, times: Int = 1) async {
    await record.wait { value in
      value.isOver
        || (times == 1 ? value.errors.contains(text) : value.errors.ranges(of: text).count >= times)
    }
  }

  /// Waits until it has ended.
  func ended() async -> ProcessEnd {
    await record.wait { $0.isOver }
    let value = record.value
    return ProcessEnd(status: value.status ?? -1, output: value.output, errors: value.errors)
  }
}

/// What is known of a process, for those that wait for a part of it.
private final class ProcessRecord: Sendable {
  struct Value {
    var output = ""
    var errors = ""
    var openStreams = 2
    var status: Int32?

    var isOver: Bool { openStreams == 0 && status != nil }
  }

  private struct Waiter {
    let isDue: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Mutex((value: Value(), waiters: [Waiter]()))

  var value: Value { state.withLock { $0.value } }

  func update(_ change: (inout Value) -> Void) {
    let due = state.withLock { state in
      change(&state.value)
      let due = state.waiters.filter { $0.isDue(state.value) }
      state.waiters.removeAll { $0.isDue(state.value) }
      return due
    }
    for waiter in due { waiter.continuation.resume() }
  }

  func wait(until isDue: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let resumesNow = state.withLock { state in
        if isDue(state.value) { return true }
        state.waiters.append(Waiter(isDue: isDue, continuation: continuation))
        return false
      }
      if resumesNow { continuation.resume() }
    }
  }
}

/// A process that was started, with the ends of its pipes that are read.
private struct ChildProcess {
  let identifier: pid_t
  let output: Int32
  let errors: Int32

  /// Starts a process in a folder, with standard input empty.
  static func start(
    _ path: String, _ arguments: [String], folder: String
  ) throws(EndToEndFailure) -> ChildProcess {
    let (output, errors) = (try pipeEnds(), try pipeEnds())
    defer {
      close(output.writing)
      close(errors.writing)
    }
    var spawn = Spawn([path] + arguments, folder: folder)
    spawn.streams = [.file("/dev/null"), .descriptor(output.writing), .descriptor(errors.writing)]
    do {
      return ChildProcess(
        identifier: try spawn.start(), output: output.reading, errors: errors.reading)
    } catch {
      close(output.reading)
      close(errors.reading)
      throw EndToEndFailure("\(path) can't be started: \(error)")
    }
  }

  private static func pipeEnds() throws(EndToEndFailure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw EndToEndFailure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// Where this package's executables are: beside the test bundle.
enum Executables {
  static let folder: String = {
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let beside = URL(fileURLWithPath: program).deletingLastPathComponent().path
    if FileManager.default.isExecutableFile(atPath: beside + "/onside-server") { return beside }
    // A runner of the toolchain holds the bundle: the package's own build folder then.
    return Workspace.packageRoot + "/.build/debug"
  }()
}

/// What keeps a test from doing its work.
struct EndToEndFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
