import Glibc

extension Command {
  /// Reads a command line, by default the process's own. Help and version are printed and end the
  /// process with 0; a mistake is one line on standard error and ends it with 2
  /// (``ExitCode/usage``).
  public func parseOrExit(
    _ arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) -> ParsedArguments {
    do throws(UsageError) {
      switch try parse(arguments, columns: terminalColumns()) {
      case .run(let arguments): return arguments
      case .print(let text): end(.success, printing: text, to: STDOUT_FILENO)
      }
    } catch {
      end(.usage, printing: "\(error)\n", to: STDERR_FILENO)
    }
  }

  /// Ends the process with one line on standard error: `onside-server: what is wrong`.
  public func fail(_ code: ExitCode, _ message: String) -> Never {
    end(code, printing: "\(name): \(message)\n", to: STDERR_FILENO)
  }

  /// Writes one line on standard error: `onside-server: what is wrong`.
  public func complain(_ message: String) {
    write("\(name): \(message)\n", to: STDERR_FILENO)
  }

  private func end(_ code: ExitCode, printing text: String, to descriptor: Int32) -> Never {
    write(text, to: descriptor)
    exit(code.rawValue)
  }

  private func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
  }
}

/// The terminal's width, at most 100 columns; 80 where there is none.
private func terminalColumns() -> Int {
  var size = winsize()
  guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return min(100, Int(size.ws_col))
}
