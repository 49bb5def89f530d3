public import OnsideClient
import Synchronization

/// Lines between the shop and a person, or a script.
///
/// On a terminal the line that is being typed is the shop's own: what comes meanwhile is shown
/// above it, and the question is drawn again with what has been typed. Elsewhere everything goes
/// line by line, and nothing is drawn.
public final class ShopTerminal: Terminal {
  /// What a terminal writes to, and reads from.
  public struct Device: Sendable {
    /// True: a person's terminal in raw mode, which knows cursor movements and echoes nothing.
    public var isInteractive: Bool

    /// True: whatever is typed is seen without our doing, with its line feed.
    public var echoesInput: Bool

    /// How wide it is now.
    public var columns: @Sendable () -> Int

    /// Shows text.
    public var write: @Sendable (String) -> Void

    /// Reads once, and answers with `feed` or `feedEnd`.
    public var wantInput: @Sendable (ShopTerminal) -> Void

    /// A device of one's own.
    public init(
      isInteractive: Bool, echoesInput: Bool = false,
      columns: @escaping @Sendable () -> Int = { 80 },
      write: @escaping @Sendable (String) -> Void,
      wantInput: @escaping @Sendable (ShopTerminal) -> Void
    ) {
      self.isInteractive = isInteractive
      self.echoesInput = echoesInput
      self.columns = columns
      self.write = write
      self.wantInput = wantInput
    }
  }

  struct Waiter {
    let id: UInt64
    let continuation: CheckedContinuation<String?, Never>
  }

  struct State {
    /// What stands in the line that isn't complete: a question.
    var openLine = ""
    var editor = LineEditor()

    /// What was read and isn't used yet.
    var input: [UInt8] = []
    var isReading = false
    var inputIsOver = false
    var isSilent = false
    var isClosed = false

    var waiter: Waiter?
    var nextID: UInt64 = 0

    /// Reads that were given up before they had begun.
    var givenUp: Set<UInt64> = []
  }

  let device: Device
  let style: TextStyle
  let state = Mutex(State())

  /// A terminal on a device.
  public init(_ device: Device, style: TextStyle = TextStyle(usesColour: false)) {
    self.device = device
    self.style = style
  }

  /// True: nobody will enter anything any more.
  var isAtEnd: Bool { state.withLock { $0.isClosed || $0.inputIsOver && $0.input.isEmpty } }

  /// How wide lists may be.
  var columns: Int { device.isInteractive ? max(20, device.columns()) : 100 }

  /// Nothing is shown any more. Whoever waits for a line goes on waiting.
  func silence() {
    state.withLock { state in
      if !state.isSilent, !state.openLine.isEmpty { device.write("\n") }
      state.isSilent = true
    }
  }

  /// Nothing is shown any more, and nothing is read: whoever waits for a line gets none.
  func close() {
    silence()
    let waiter = state.withLock { state in
      state.isClosed = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.continuation.resume(returning: nil)
  }
}
