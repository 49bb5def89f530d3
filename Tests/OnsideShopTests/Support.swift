import Foundation
import OnsideClient
import Synchronization

@testable import OnsideShop

/// What a terminal was told to show, and the keys for it.
final class Paper: Sendable {
  private struct State {
    var text = ""
    var input: [UInt8] = []
    var isOver = false
    var wanting: ShopTerminal?
  }

  private let state = Mutex(State())

  /// Everything that was written.
  var text: String { state.withLock { $0.text } }

  /// A terminal that writes here.
  func terminal(isInteractive: Bool = false, columns: Int = 80) -> ShopTerminal {
    ShopTerminal(
      ShopTerminal.Device(
        isInteractive: isInteractive, columns: { columns },
        write: { [self] text in state.withLock { $0.text += text } },
        wantInput: { [self] terminal in
          state.withLock { $0.wanting = terminal }
          give()
        }))
  }

  /// Types something.
  func type(_ keys: String) {
    state.withLock { $0.input += keys.utf8 }
    give()
  }

  /// There is no more.
  func end() {
    state.withLock { $0.isOver = true }
    give()
  }

  private func give() {
    let (terminal, input): (ShopTerminal?, [UInt8]) = state.withLock { state in
      guard let terminal = state.wanting, state.isOver || !state.input.isEmpty else {
        return (nil, [])
      }
      state.wanting = nil
      defer { state.input = [] }
      return (terminal, state.input)
    }
    guard let terminal else { return }
    if input.isEmpty { terminal.feedEnd() } else { terminal.feed(input) }
  }
}

/// A folder that goes with its test.
final class Folder: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/onside-shop-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    return path + "/" + name
  }
}
