import RPC
import RPCCore
import RPCTransport

/// A peer that sends whatever bytes it is told to, after a real TLS handshake.
final class RawPeer: ChannelHandler, @unchecked Sendable {
  /// What the peer has received, and whether the connection has ended.
  struct State: Sendable {
    var received: [UInt8] = []
    /// How many bytes came, those too that weren't kept.
    var receivedCount = 0
    var end: ChannelEnd?

    /// The frames that came whole.
    private(set) var frames: [(header: FrameHeader, payload: [UInt8])] = []
    /// How many of the bytes are in them.
    private var framedCount = 0

    /// The code of the CLOSE that came, if any. The payload's first field is the code.
    var closeCode: UInt8? {
      guard let close = frames.first(where: { $0.header.type == .close }) else { return nil }
      return close.payload.count >= 2 && close.payload[0] == 0x08 ? close.payload[1] : 0
    }

    /// The text of the CLOSE that came.
    var closeText: String {
      let close = frames.first { $0.header.type == .close }
      return String(decoding: close?.payload.dropFirst(4) ?? [], as: UTF8.self)
    }

    /// Keeps bytes, and the frames that they complete.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
      received.append(contentsOf: bytes)
      while let frame = RawFrames.first(in: received[framedCount...]) {
        framedCount += FrameHeader.size + frame.payload.count
        frames.append(frame)
      }
    }

    /// The ENDs by stream.
    func end(of stream: UInt32) -> [UInt8]? {
      frames.first { $0.header.type == .end && $0.header.stream.rawValue == stream }?.payload
    }
  }

  private let state = Locked(State())
  private let watchers = Locked<[(@Sendable (State) -> Bool, CheckedContinuation<State, Never>)]>(
    [])
  private let onActive: @Sendable (Channel) -> Void
  private let onReceived: @Sendable (Channel, State) -> Void
  private let keepsBytes: Bool
  /// Set and taken on the loop, used from anywhere.
  private let channel = Locked<Channel?>(nil)

  init(
    onActive: @escaping @Sendable (Channel) -> Void = { _ in },
    onReceived: @escaping @Sendable (Channel, State) -> Void = { _, _ in },
    keepsBytes: Bool = true
  ) {
    self.keepsBytes = keepsBytes
    self.onActive = onActive
    self.onReceived = onReceived
  }

  /// Connects to a server, and sends its SETUP unless told otherwise.
  ///
  /// - Parameters:
  ///   - setup: whether it sends an empty SETUP, as soon as it can.
  ///   - opening: what it sends right behind that.
  ///   - reads: whether it reads anything at all.
  ///   - keepsBytes: false for floods, whose answers are only counted.
  static func connect(
    _ server: EchoServer, setup: Bool = true, opening: [UInt8] = [], reads: Bool = true,
    keepsBytes: Bool = true
  ) async throws -> RawPeer {
    let first = (setup ? RawFrames.setup : []) + opening
    let peer = RawPeer(
      onActive: { channel in
        if !reads { channel.isReadingPaused = true }
        channel.withOutput { $0.append(first) }
      }, keepsBytes: keepsBytes)
    try await peer.connect(to: server)
    return peer
  }

  /// Connects to a server, and does what it was made for.
  func connect(to server: EchoServer) async throws {
    let tls = try server.certificates.clientTLS()
    let loop = server.group.loops[0]
    let result: Result<Channel, ConnectError> = await withCheckedContinuation { continuation in
      Connector(options: .patient).connect(
        to: server.endpoint, tls: tls, deadline: .now.advanced(by: Patience.limit), loop: loop,
        makeHandler: { channel in
          self.channel.withLock { $0 = channel }
          return self
        }, completion: { continuation.resume(returning: $0) })
    }
    _ = try result.get()
  }

  func send(_ bytes: [UInt8]) async {
    guard let channel = channel.current else { return }
    await channel.loop.run { channel.withOutput { $0.append(bytes) } }
  }

  func close(_ mode: Channel.CloseMode = .graceful) async {
    guard let channel = channel.current else { return }
    await channel.loop.run { channel.close(mode) }
  }

  /// Waits until what was received is enough.
  func wait(until isEnough: @escaping @Sendable (State) -> Bool) async -> State {
    await withCheckedContinuation { continuation in
      let enough = state.withLock { state -> State? in
        if isEnough(state) { return state }
        watchers.withLock { $0.append((isEnough, continuation)) }
        return nil
      }
      if let enough { continuation.resume(returning: enough) }
    }
  }

  /// Whether the connection has ended.
  var hasEnded: Bool { state.current.end != nil }

  /// Waits for the connection's end.
  func ended() async -> State { await wait { $0.end != nil } }

  /// Waits for the END of a stream, or of the connection.
  func answer(_ stream: UInt32) async -> State {
    await wait { $0.end != nil || $0.end(of: stream) != nil }
  }

  func channelActive(_ channel: Channel) { onActive(channel) }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    let keepsBytes = keepsBytes
    change {
      $0.receivedCount += bytes.count
      if keepsBytes { $0.receive(bytes) }
    }
    onReceived(channel, state.current)
    return bytes.count
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    change { $0.end = reason }
    self.channel.withLock { $0 = nil }
  }

  private func change(_ body: (inout State) -> Void) {
    let (now, told) = state.withLock { state in
      body(&state)
      let now = state
      return watchers.withLock { watchers in
        let told = watchers.filter { $0.0(now) }
        watchers.removeAll { $0.0(now) }
        return (now, told)
      }
    }
    for watcher in told { watcher.1.resume(returning: now) }
  }
}
