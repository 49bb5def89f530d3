import CLinux

/// Signals as events of a loop.
///
/// A signal is read from a descriptor (signalfd), once for each time that it is sent while none of
/// its kind is waiting. For that it must be blocked in all threads: ``block(_:)`` has to be called
/// on the main thread before any other is started.
public final class SignalSource: @unchecked Sendable {
  private let loop: EventLoop
  private let reader: SignalReader

  /// Blocks the signals in the calling thread, and in those that it starts from here on.
  public static func block(_ signals: [Int32]) {
    clinux_block_signals(signals, Int32(signals.count))
  }

  /// Begins to receive the signals: `handler` is called on the loop with each one's number.
  ///
  /// - Throws: ``SystemError`` if the system has no descriptors left.
  public init(
    _ signals: [Int32], loop: EventLoop, _ handler: @escaping @Sendable (Int32) -> Void
  ) throws(SystemError) {
    let descriptor = clinux_signal_descriptor(signals, Int32(signals.count))
    guard descriptor >= 0 else { throw SystemError("signalfd", clinux_errno()) }
    self.loop = loop
    let reader = SignalReader(descriptor, loop, handler)
    self.reader = reader
    loop.post {
      Self.block(signals)
      reader.start()
    }
  }

  /// Receives no more signals. They stay blocked.
  public func cancel() {
    loop.post { [reader] in reader.stop() }
  }
}

private final class SignalReader: Pollable, @unchecked Sendable {
  private var descriptor: Int32
  private let loop: EventLoop
  private let handler: @Sendable (Int32) -> Void

  init(_ descriptor: Int32, _ loop: EventLoop, _ handler: @escaping @Sendable (Int32) -> Void) {
    self.descriptor = descriptor
    self.loop = loop
    self.handler = handler
  }

  func start() {
    if !loop.watch(self, descriptor, Channel.readable) { stop() }
  }

  override func ready(_ flags: UInt32) {
    while descriptor >= 0 {
      let number = clinux_next_signal(descriptor)
      guard number != 0 else { return }
      handler(number)
    }
  }

  func stop() {
    guard descriptor >= 0 else { return }
    loop.unwatch(self, descriptor)
    close(descriptor)
    descriptor = -1
  }
}

extension SignalReader: LoopStopping {
  func loopStops() {
    stop()
  }
}
