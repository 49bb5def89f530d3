import Dispatch
import Glibc

/// An executable of this package, run beside the tests, whose output is read line by line.
final class ChildProcess: Sendable {
  let identifier: pid_t
  private let output: Int32
  private let queue = DispatchQueue(label: "onside.tests.child")

  /// Starts the executable `name`, which stands beside the one that is running.
  init?(_ name: String, _ arguments: [String]) {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let path = String(cString: own)
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    var pipes: [Int32] = [0, 0]
    // Not a pipe: only a socket is closed on exec from the start, and other tests spawn too.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pipes) == 0 else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO)
    let executable = "\(folder)/\(name)"
    var vector = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { vector.forEach { free($0) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, executable, &actions, nil, &vector, environ)
    close(pipes[1])
    guard code == 0 else {
      close(pipes[0])
      return nil
    }
    self.identifier = identifier
    output = pipes[0]
  }

  /// Reads lines until `count` have come, kills the process with SIGKILL, and reads what it had
  /// written till then.
  func linesUntilKilled(after count: Int) async -> [Substring] {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var bytes: [UInt8] = []
        var lines = 0
        var isKilled = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          let read = read(output, &buffer, buffer.count)
          guard read > 0 else { break }
          lines += buffer[..<read].count { $0 == UInt8(ascii: "\n") }
          bytes += buffer[..<read]
          if lines >= count, !isKilled {
            kill(identifier, SIGKILL)
            isKilled = true
          }
        }
        close(output)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        continuation.resume(
          returning: String(decoding: bytes, as: UTF8.self).split(separator: "\n"))
      }
    }
  }
}
