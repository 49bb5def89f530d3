import Dispatch
import Glibc

/// The terminal that the process was started at, or the files that stand in for it.
public final class Console: Sendable {
  /// What the shop talks through.
  public let terminal: ShopTerminal

  /// How the terminal was set before; nil: it isn't one, or isn't used as one.
  private let original: termios?

  /// Standard input and output. A person's terminal is in raw mode from now on, until `restore()`.
  public init(environment: [String: String]) {
    let (readsTerminal, writesTerminal) = (isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1)
    let knowsCursor = !["", "dumb"].contains(environment["TERM"] ?? "")
    let isInteractive = readsTerminal && writesTerminal && knowsCursor
    original = isInteractive ? Self.settings() : nil
    // A read blocks its thread, which isn't one of those that run tasks.
    let queue = DispatchQueue(label: "onside-shop-input")
    terminal = ShopTerminal(
      ShopTerminal.Device(
        isInteractive: isInteractive, echoesInput: readsTerminal, columns: Self.columns,
        write: Self.write,
        wantInput: { terminal in queue.async { Self.read(into: terminal) } }),
      style: TextStyle(isTerminal: writesTerminal, environment: environment))
    makeRaw()
  }

  /// Sets the terminal as it was before.
  public func restore() {
    guard var settings = original else { return }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Stops the process as Ctrl-Z does, with the terminal as it was before, and goes on when the
  /// shell says so.
  public func stop() {
    restore()
    // To this thread: it may not go on before the whole process is stopped.
    raise(SIGSTOP)
    makeRaw()
    terminal.redraw()
  }

  private static func settings() -> termios? {
    var settings = termios()
    return tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
  }

  /// Every key comes at once and isn't echoed; Ctrl-C and Ctrl-Z are still signals.
  private func makeRaw() {
    guard var settings = original else { return }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  private static func columns() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nobody is there to see it: the end of the input comes next.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func read(into terminal: ShopTerminal) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? terminal.feed(buffer[..<count]) : terminal.feedEnd()
    }
  }
}
