import Synchronization

extension ShopTerminal {
  /// Shows text as it is; the line that it ends with is the one that a person goes on in.
  public func write(_ text: String) async {
    state.withLock { state in
      guard !state.isSilent else { return }
      let whole = state.openLine + text
      guard device.isInteractive else {
        device.write(text)
        state.openLine = Self.lastLine(whole)
        return
      }
      var output = isAsking(state) ? erasing(state) : ""
      state.openLine = Self.lastLine(whole)
      output += Wrapping.wrapped(whole, columns: columns)
      device.write(output + state.editor.text)
    }
  }

  /// Shows whole lines, whatever is being asked at the moment: the question and what has been typed
  /// stand below them afterwards.
  func show(_ lines: String) {
    state.withLock { state in
      guard !state.isSilent else { return }
      var text = lines.hasSuffix("\n") ? lines : lines + "\n"
      guard device.isInteractive else {
        if !state.openLine.isEmpty { text = "\n" + text }
        state.openLine = ""
        return device.write(text)
      }
      let output =
        (isAsking(state) ? erasing(state) : "") + Wrapping.wrapped(text, columns: columns)
      device.write(output + drawing(state))
    }
  }

  /// Draws the question and what has been typed again: after the process was stopped, or the
  /// terminal was cleared.
  public func redraw() {
    state.withLock { state in
      guard device.isInteractive, !state.isSilent else { return }
      device.write("\r\u{1B}[J" + drawing(state))
    }
  }

  // MARK: The open line

  private func isAsking(_ state: State) -> Bool {
    !state.openLine.isEmpty || !state.editor.text.isEmpty
  }

  func drawing(_ state: State) -> String {
    Wrapping.wrapped(state.openLine, columns: columns) + state.editor.text
  }

  /// What takes the cursor to the beginning of the open line, and clears all from there on.
  func erasing(_ state: State) -> String {
    let columns = columns
    let drawn = Wrapping.wrapped(state.openLine, columns: columns) + state.editor.text
    var rows = -1
    for line in drawn.split(separator: "\n", omittingEmptySubsequences: false) {
      // In a full line the cursor stays at its end until something follows.
      rows += 1 + max(0, DisplayWidth.of(String(line)) - 1) / columns
    }
    return "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J"
  }

  private static func lastLine(_ text: String) -> String {
    guard let end = text.lastIndex(of: "\n") else { return text }
    return String(text[text.index(after: end)...])
  }
}
