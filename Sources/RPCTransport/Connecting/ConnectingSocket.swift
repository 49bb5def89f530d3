import CLinux
import RPCCore

/// A socket on its way to one address.
final class ConnectingSocket: Pollable {
  let address: SocketAddress
  private unowned let attempt: ConnectAttempt
  private var descriptor: Int32 = -1
  private var timer: LoopTimer?

  init(_ address: SocketAddress, attempt: ConnectAttempt) {
    self.address = address
    self.attempt = attempt
  }

  private var loop: EventLoop { attempt.loop }

  /// Begins to connect; the attempt hears of the outcome, at `limit` at the latest. Never within
  /// this call.
  func start(until limit: MonotonicInstant) {
    timer = loop.schedule(at: limit) { [weak self] in self?.fail(ETIMEDOUT) }
    descriptor = clinux_stream_socket(address.family)
    guard descriptor >= 0 else { return failLater(clinux_errno()) }
    let result = address.withSystemAddress { clinux_connect(descriptor, $0, $1) }
    let code = result == 0 ? 0 : clinux_errno()
    guard code == 0 || code == EINPROGRESS || code == EINTR else { return failLater(code) }
    // Connected at once or not: epoll reports the socket when it can be written to.
    if !loop.watch(self, descriptor, Channel.writable) { failLater(ENOMEM) }
  }

  private func failLater(_ code: Int32) {
    timer?.disarm()
    timer = loop.schedule(at: loop.now) { [weak self] in self?.fail(code) }
  }

  override func ready(_ flags: UInt32) {
    guard descriptor >= 0 else { return }
    let code = clinux_get_option(descriptor, SOL_SOCKET, SO_ERROR)
    guard code == 0 else { return fail(code) }
    timer?.disarm()
    let connected = descriptor
    descriptor = -1
    attempt.socketConnected(self, connected)
  }

  private func fail(_ code: Int32) {
    let attempt = attempt
    abandon()
    attempt.socketFailed(address, code)
  }

  /// Closes the socket without a word.
  func abandon() {
    timer?.disarm()
    timer = nil
    guard descriptor >= 0 else { return }
    loop.unwatch(self, descriptor)
    close(descriptor)
    descriptor = -1
  }
}

extension ConnectingSocket: LoopStopping {
  func loopStops() {
    attempt.loopStops()
  }
}
