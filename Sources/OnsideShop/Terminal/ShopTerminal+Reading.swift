import Synchronization

extension ShopTerminal {
  /// The next line without its end; nil: there are no more, or the task was cancelled. A question
  /// that nobody has answered is taken back then.
  public func readLine() async -> String? {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { begin(Waiter(id: id, continuation: $0)) }
    } onCancel: {
      giveUp(id)
    }
  }

  /// Input has come.
  public func feed(_ bytes: some Sequence<UInt8>) {
    advance { state in
      state.isReading = false
      state.input += bytes
    }
  }

  /// The input is over.
  public func feedEnd() {
    advance { state in
      state.isReading = false
      state.inputIsOver = true
    }
  }

  private func begin(_ waiter: Waiter) {
    advance { state in
      guard state.givenUp.remove(waiter.id) == nil, !state.isClosed, state.waiter == nil else {
        return waiter.continuation.resume(returning: nil)
      }
      state.waiter = waiter
      // What was typed before the question is seen behind it.
      state.editor.reset()
    }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { state in
      guard let waiter = state.waiter, waiter.id == id else {
        state.givenUp.insert(id)
        return Waiter?.none
      }
      state.waiter = nil
      takeBack(&state)
      return waiter
    }
    waiter?.continuation.resume(returning: nil)
  }

  /// The question is of no use any more.
  private func takeBack(_ state: inout State) {
    if state.isSilent {
      // What was asked stands there for good.
    } else if device.isInteractive {
      device.write(erasing(state))
    } else if !state.openLine.isEmpty {
      device.write("\n")
    }
    state.openLine = ""
    state.editor.reset()
  }

  /// Changes the state, and goes as far as the input does.
  private func advance(_ body: (inout State) -> Void) {
    let (waiter, line, wantsInput): (Waiter?, String?, Bool) = state.withLock { state in
      body(&state)
      guard let waiter = state.waiter else { return (nil, nil, false) }
      switch device.isInteractive ? takeKeys(&state) : takeLine(&state) {
      case .some(let line):
        state.waiter = nil
        state.openLine = ""
        return (waiter, line, false)
      case nil:
        defer { state.isReading = true }
        return (nil, nil, !state.isReading)
      }
    }
    waiter?.continuation.resume(returning: line)
    if wantsInput { device.wantInput(self) }
  }

  /// Gives the keys to the editor. The answer, which is nil at the end; nil: it goes on.
  private func takeKeys(_ state: inout State) -> String?? {
    guard !state.isSilent else { return nil }
    var used = 0
    defer { state.input.removeFirst(used) }
    while used < state.input.count {
      let before = state
      used += 1
      switch state.editor.take(state.input[used - 1]) {
      case .none: break
      case .text: echo(state, before)
      case .redraw: device.write("\u{1B}[H\u{1B}[2J" + drawing(state))
      case .line(let line):
        device.write("\n")
        return .some(line)
      case .end:
        device.write("\n")
        state.inputIsOver = true
        used = state.input.count
        return .some(nil)
      }
    }
    guard state.inputIsOver else { return nil }
    device.write("\n")
    return .some(nil)
  }

  private func echo(_ state: State, _ before: State) {
    let (old, new) = (before.editor.text, state.editor.text)
    if new.hasPrefix(old) {
      device.write(String(new.dropFirst(old.count)))
    } else {
      device.write(erasing(before) + drawing(state))
    }
  }

  /// Takes a line of a file or a pipe; its last one may have no end.
  private func takeLine(_ state: inout State) -> String?? {
    let end = state.input.firstIndex(of: 0x0A)
    guard end != nil || state.inputIsOver else { return nil }
    if !device.echoesInput, !state.openLine.isEmpty { device.write("\n") }
    let bytes = state.input[..<(end ?? state.input.count)]
    guard end != nil || !bytes.isEmpty else { return .some(nil) }
    var line = String(decoding: bytes, as: UTF8.self)
    if line.last == "\r" { line.removeLast() }
    state.input.removeFirst(end.map { $0 + 1 } ?? bytes.count)
    return .some(line)
  }
}
