import RPCCore
import Testing

@testable import RPCTransport

/// A client's connection, driven by async calls.
final class TestConnection: ChannelHandler, @unchecked Sendable {
  // Confined to the channel's loop.
  private(set) var channel: Channel?
  private var received: [UInt8] = []
  private var receivedCount = 0
  private var end: ChannelEnd?
  private var waiters: [(condition: () -> Bool, resume: () -> Void)] = []
  private let keepsBytes: Bool
  private let startsPaused: Bool

  init(keepsBytes: Bool = true, startsPaused: Bool = false) {
    self.keepsBytes = keepsBytes
    self.startsPaused = startsPaused
  }

  /// Connects, and fails with the ``ConnectError``.
  static func open(
    _ endpoint: Endpoint, _ tls: ClientTLS, _ group: EventLoopGroup,
    options: ChannelOptions = ChannelOptions(), deadline: Duration = .seconds(20),
    keepsBytes: Bool = true, startsPaused: Bool = false
  ) async throws(ConnectError) -> TestConnection {
    let connection = TestConnection(keepsBytes: keepsBytes, startsPaused: startsPaused)
    let loop = group.next()
    let result: Result<Channel, ConnectError> = await withCheckedContinuation { continuation in
      Connector(options: options).connect(
        to: endpoint, tls: tls,
        deadline: .current().advanced(byNanoseconds: Int64(deadline / .nanoseconds(1))),
        loop: loop, makeHandler: { _ in connection },
        completion: { continuation.resume(returning: $0) })
    }
    let channel = try result.get()
    await loop.run { connection.channel = channel }
    return connection
  }

  var loop: EventLoop {
    guard let channel else { preconditionFailure("not connected") }
    return channel.loop
  }

  /// A test that is to read nothing can't say so later: by then everything may have been read.
  func channelActive(_ channel: Channel) {
    if startsPaused { channel.isReadingPaused = true }
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    if keepsBytes { received.append(contentsOf: bytes) }
    receivedCount += bytes.count
    check()
    return bytes.count
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    end = reason
    check()
  }

  private func check() {
    let ready = waiters.filter { $0.condition() }
    waiters.removeAll { $0.condition() }
    for waiter in ready { waiter.resume() }
  }

  private func wait(_ condition: @escaping () -> Bool) async {
    nonisolated(unsafe) let condition = condition
    await withCheckedContinuation { continuation in
      loop.post {
        self.waiters.append((condition, { continuation.resume() }))
        self.check()
      }
    }
  }

  /// Queues bytes.
  func send(_ bytes: [UInt8]) async {
    await loop.run { self.channel?.withOutput { $0.append(bytes) } }
  }

  /// The next `count` bytes; fewer if the connection ends before.
  func receive(_ count: Int) async -> [UInt8] {
    await wait { self.received.count >= count || self.end != nil }
    return await loop.run {
      let bytes = Array(self.received.prefix(count))
      self.received.removeFirst(bytes.count)
      return bytes
    }
  }

  /// Waits until so many bytes have come in all (for connections that don't keep them).
  func receiveCount(_ count: Int) async -> Int {
    await wait { self.receivedCount >= count || self.end != nil }
    return await loop.run { self.receivedCount }
  }

  /// Waits for the end.
  func ended() async -> ChannelEnd {
    await wait { self.end != nil }
    return await loop.run { self.end ?? ChannelEnd(.aborted, "no end") }
  }

  func close(_ mode: Channel.CloseMode = .graceful) async -> ChannelEnd {
    await loop.run { self.channel?.close(mode) }
    return await ended()
  }

  var security: TLSInfo {
    get async { await loop.run { self.channel?.security ?? TLSInfo() } }
  }

  /// Sends `bytes` and waits until as many have come back.
  func echo(_ bytes: [UInt8]) async -> [UInt8] {
    await send(bytes)
    return await receive(bytes.count)
  }
}

extension EventLoop {
  /// Waits until all channels have given their buffers back, at the loop's own instants.
  func waitUntilNoneIsBusy() async {
    while await run({ !self.busyChannels.isEmpty }) {
      await withCheckedContinuation { continuation in
        post {
          let next = self.now.advanced(byNanoseconds: EventLoop.busyCheckInterval / 10)
          self.schedule(at: next) { continuation.resume() }
        }
      }
    }
  }
}
