import CLinux
import RPCCore
import Synchronization

/// A listening socket on its loop.
final class ListeningSocket: Pollable {
  private let socket: BoundSocket
  private unowned let listener: Listener
  private var isOpen = true
  /// Held in reserve: when the process has no descriptors left, giving it up makes room to accept
  /// one connection and to close it, so that its client learns of it.
  private var spare = clinux_spare_descriptor()
  private var lastReport = MonotonicInstant(nanoseconds: .min)

  /// The most connections that are taken in one pass.
  private static let acceptsPerPass = 64
  /// How long accepting waits for handshakes before it looks again, in nanoseconds.
  private static let handshakePause: Int64 = 10_000_000

  init(_ socket: BoundSocket, listener: Listener) {
    self.socket = socket
    self.listener = listener
  }

  private var loop: EventLoop { listener.group.first }

  func start() -> Bool {
    if loop.watch(self, socket.descriptor, Channel.readable) { return true }
    stop()
    return false
  }

  override func ready(_ flags: UInt32) {
    for _ in 0..<Self.acceptsPerPass {
      guard isOpen, isReady() else { return }
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let descriptor = clinux_accept(socket.descriptor, &storage, &size)
      guard descriptor >= 0 else {
        if failed(clinux_errno()) { continue } else { return }
      }
      let peer = SocketAddress(storage, size: size) ?? .unix(path: "")
      listener.accepted(descriptor, peer)
    }
  }

  /// Whether the listener's limits let a connection in now. If not, accepting waits until they do.
  private func isReady() -> Bool {
    switch listener.readiness(loop.now) {
    case .now:
      return true
    case .at(let instant):
      wait(until: instant)
    case .afterHandshake:
      wait(until: loop.now.advanced(byNanoseconds: Self.handshakePause))
    }
    return false
  }

  private func wait(until instant: MonotonicInstant) {
    listener.counts.waits.increment()
    pause(until: instant)
  }

  /// Epoll would report the waiting connections again and again: for a while nobody asks.
  private func pause(until instant: MonotonicInstant) {
    loop.poller.modify(socket.descriptor, 0, Poller.target(self))
    loop.schedule(at: instant) { [weak self] in self?.resume() }
  }

  /// Whether accepting goes on after this error.
  private func failed(_ code: Int32) -> Bool {
    switch code {
    case EAGAIN:
      return false
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      rest(code)
      return false
    default:
      // The connection's own trouble (ECONNABORTED, EPROTO, …), or an interruption.
      return true
    }
  }

  /// No descriptors left: one of the waiting connections is closed, and the others wait.
  private func rest(_ code: Int32) {
    listener.counts.shortages.increment()
    if spare >= 0 {
      close(spare)
      let descriptor = clinux_accept(socket.descriptor, nil, nil)
      if descriptor >= 0 { close(descriptor) }
    }
    spare = clinux_spare_descriptor()
    if loop.now.nanoseconds(since: lastReport) >= 1_000_000_000 {
      lastReport = loop.now
      listener.options.observer?(.outOfDescriptors(SystemError("accept", code)))
    }
    let time = listener.options.shortageBackOff.wholeNanoseconds
    pause(until: loop.now.advanced(byNanoseconds: time))
  }

  private func resume() {
    guard isOpen else { return }
    if spare < 0 { spare = clinux_spare_descriptor() }
    loop.poller.modify(socket.descriptor, Channel.readable, Poller.target(self))
  }

  func stop() {
    guard isOpen else { return }
    isOpen = false
    loop.unwatch(self, socket.descriptor)
    close(socket.descriptor)
    if spare >= 0 { close(spare) }
    if case .unix(let path) = socket.address { unlink(path) }
  }
}

extension ListeningSocket: LoopStopping {
  func loopStops() {
    stop()
  }
}
