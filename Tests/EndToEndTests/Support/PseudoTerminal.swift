import Dispatch
import Foundation
import Glibc
import Synchronization
import TestProcess

/// A program at a terminal of its own, and the person in front of it.
final class PseudoTerminal: Sendable {
  private struct State {
    var screen: TerminalScreen

    /// Everything that was written, without escape sequences and with one space for all that there
    /// is between words, since lines may be broken; and how much of it was waited for.
    var text = ""
    var seen = 0
    var status: Int32?
    var outputIsOver = false
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextID: UInt64 = 0

    var isOver: Bool { outputIsOver && status != nil }

    mutating func take(_ output: String) {
      for scalar in screen.take(output).unicodeScalars {
        let isSpace = scalar == "\n" || scalar == " "
        if !isSpace { text.unicodeScalars.append(scalar) }
        if isSpace, text.last != " " { text.append(" ") }
      }
    }
  }

  /// How long a person waits for a text before something must be wrong.
  private static let patience: Duration = .seconds(60)

  // TIOCSPTLCK and TIOCGPTN, which glibc's module hides, and the functions that are made of them.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// The person's side.
  private let descriptor: Int32
  private let identifier: pid_t
  private let state: Mutex<State>

  /// Starts a program of this package at a terminal with so many columns.
  init(
    _ name: String, _ arguments: [String], folder: String, columns: Int = 80, rows: Int = 40,
    environment: [String: String] = [:]
  ) throws {
    state = Mutex(State(screen: TerminalScreen(columns: columns, rows: rows)))
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, Int32) = (0, 0)
    guard descriptor >= 0, ioctl(descriptor, Self.setLock, &lock) == 0,
      ioctl(descriptor, Self.getNumber, &number) == 0
    else { throw EndToEndFailure("no pseudo-terminal") }
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    var spawn = Spawn([Executables.folder + "/" + name] + arguments, folder: folder)
    // The session's first terminal: the program's own.
    spawn.streams = Array(repeating: .file("/dev/pts/\(number)"), count: 3)
    spawn.isInOwnSession = true
    spawn.environment = ProcessInfo.processInfo.environment
      .merging(["TERM": "xterm", "NO_COLOR": ""]) { _, new in new }
      .merging(environment) { _, new in new }
    identifier = try spawn.start()
    readOutput()
    awaitEnd()
  }

  deinit {
    if state.withLock({ $0.status == nil }) { kill(identifier, SIGKILL) }
    close(descriptor)
  }

  // MARK: The person

  /// Presses keys.
  func type(_ keys: String) {
    var rest = Array(keys.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Types a line, and presses Enter.
  func enter(_ line: String) { type(line + "\r") }

  /// Waits until a text appears behind the one that was waited for last.
  ///
  /// - Returns: what came before it.
  @discardableResult
  func expect(_ text: String) async throws -> String {
    try await wait(text) { state in
      let rest = state.text.dropFirst(state.seen)
      guard let place = rest.range(of: text) else { return nil }
      state.seen += rest.distance(from: rest.startIndex, to: place.upperBound)
      return String(rest[..<place.lowerBound])
    }
  }

  /// Waits until the screen shows a text.
  func expectOnScreen(_ text: String) async throws {
    try await wait(text) { $0.screen.text.contains(text) ? () : nil }
  }

  /// What the person sees now.
  var screen: String { state.withLock { $0.screen.text } }

  /// Waits until the program has ended: its exit code, or a signal's negative number.
  func ended() async throws -> Int32 {
    try await wait("its end") { state in state.isOver ? state.status : nil }
  }

  /// Sends a signal, unless the program has ended.
  func signal(_ number: Int32) {
    if state.withLock({ $0.status == nil }) { kill(identifier, number) }
  }

  /// Waits until the program is stopped, as by Ctrl-Z.
  func stopped() async throws {
    let identifier = identifier
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "pseudo-terminal-stop").async {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WSTOPPED | WEXITED | WNOWAIT) < 0,
          errno == EINTR
        {}
        continuation.resume()
      }
    }
  }

  /// Whether any text was written in colour, or bold.
  var hasLooks: Bool { state.withLock { $0.screen.hasLooks } }

  /// Whether the terminal echoes, as it does by itself.
  var echoes: Bool {
    var settings = termios()
    return tcgetattr(descriptor, &settings) == 0
      && settings.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
  }

  // MARK: Waiting

  private func wait<Value>(
    _ what: String, _ look: (inout State) -> Value?
  ) async throws -> Value {
    let deadline = ContinuousClock.now + Self.patience
    let clock = Task { [weak self] in
      try? await Task.sleep(for: Self.patience)
      self?.update { _ in }
    }
    defer { clock.cancel() }
    while true {
      let (value, isOver): (Value?, Bool) = state.withLock { (look(&$0), $0.isOver) }
      if let value { return value }
      guard !isOver, ContinuousClock.now < deadline else {
        let text = state.withLock { String($0.text.dropFirst($0.seen)) }
        throw EndToEndFailure("\(what) didn't come; since the last one:\n\(text)\n\(screen)")
      }
      await change { look(&$0) != nil }
    }
  }

  /// Waits for any change, unless something holds already. What holds is looked for once more.
  private func change(unless holds: (inout State) -> Bool) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        var copy = state
        if state.isOver || holds(&copy) { return continuation.resume() }
        state.nextID += 1
        state.waiters[state.nextID] = continuation
      }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  // MARK: The program

  private func readOutput() {
    let descriptor = descriptor
    DispatchQueue(label: "pseudo-terminal").async { [weak self] in
      var buffer = [UInt8](repeating: 0, count: 4_096)
      var incomplete: [UInt8] = []
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0, let self else { break }
        let bytes = incomplete + buffer[..<count]
        let whole = Self.wholeCharacters(bytes)
        incomplete = Array(bytes[whole...])
        let text = String(decoding: bytes[..<whole], as: UTF8.self)
        self.update { $0.take(text) }
      }
      self?.update { $0.outputIsOver = true }
    }
  }

  /// How many bytes are whole characters of UTF-8.
  private static func wholeCharacters(_ bytes: [UInt8]) -> Int {
    for place in bytes.indices.suffix(3).reversed() where bytes[place] & 0xC0 == 0xC0 {
      let length = bytes[place] < 0xE0 ? 2 : bytes[place] < 0xF0 ? 3 : 4
      return place + length > bytes.count ? place : bytes.count
    }
    return bytes.count
  }

  private func awaitEnd() {
    let identifier = identifier
    DispatchQueue(label: "pseudo-terminal-end").async { [weak self] in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7F
      self?.update { $0.status = signal == 0 ? status >> 8 & 0xFF : -signal }
    }
  }
}
