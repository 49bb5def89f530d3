import RPCCore
import RPCTransport
import Synchronization

/// Sends back what it receives, and reads no more while too much is queued.
final class EchoHandler: ChannelHandler {
  private let ends: EndLog

  init(_ ends: EndLog) {
    self.ends = ends
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    channel.withOutput { $0.append(bytes) }
    if channel.isOutputFull { channel.isReadingPaused = true }
    return bytes.count
  }

  func channelWritable(_ channel: Channel) {
    channel.isReadingPaused = false
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    ends.add(reason)
  }
}

/// A list that can be awaited.
final class EventLog<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<[Event], Never>)] = []
  }

  private let state = Mutex(State())

  func add(_ event: Event) {
    let (ready, events) = state.withLock { state in
      state.events.append(event)
      let count = state.events.count
      let ready = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return (ready, state.events)
    }
    for waiter in ready { waiter.continuation.resume(returning: events) }
  }

  /// All events, once there are `count` of them.
  func wait(for count: Int) async -> [Event] {
    await withCheckedContinuation { continuation in
      let events = state.withLock { state -> [Event]? in
        if state.events.count >= count { return state.events }
        state.waiters.append((count, continuation))
        return nil
      }
      if let events { continuation.resume(returning: events) }
    }
  }

  var all: [Event] { state.withLock { $0.events } }
}

/// A number that threads share.
final class Counter: Sendable {
  private let count = Atomic(0)

  @discardableResult
  func increment() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }

  var value: Int { count.load(ordering: .relaxed) }
}

typealias EndLog = EventLog<ChannelEnd>

/// A server on a port of its own, with its loops.
struct TestServer: Sendable {
  let group: EventLoopGroup
  let tls: ServerTLS
  let listener: Listener
  /// How its channels ended.
  let ends = EndLog()
  /// How handshakes failed, refusals and shortages.
  let events = EventLog<ListenerEvent>()

  /// Starts a server; an echo server unless there is another handler.
  init(
    _ configuration: ServerTLS.Configuration, endpoint: Endpoint = .host("127.0.0.1", port: 0),
    loops: Int = 2, pollBudget: Duration = .zero, options: ListenerOptions = ListenerOptions(),
    handler: (@Sendable (Channel, EndLog) -> any ChannelHandler)? = nil
  ) throws {
    group = try EventLoopGroup(loops: loops, pollBudget: pollBudget)
    tls = try ServerTLS(configuration)
    var options = options
    options.observer = { [events] in events.add($0) }
    listener = try Listener.bind(to: endpoint, tls: tls, group: group, options: options) {
      [ends] channel in
      handler?(channel, ends) ?? EchoHandler(ends)
    }
  }

  var endpoint: Endpoint {
    switch listener.localAddress {
    case .unix(let path): .unix(path: path)
    case let address: .host(address.host, port: address.port)
    }
  }

  var port: UInt16 { listener.localAddress.port }

  func stop() async {
    await listener.stop()
    await group.shutdown()
  }

  /// Runs `body` with a server, and stops it whatever happens.
  static func with<R: Sendable>(
    _ configuration: ServerTLS.Configuration, endpoint: Endpoint = .host("127.0.0.1", port: 0),
    loops: Int = 2, options: ListenerOptions = ListenerOptions(),
    handler: (@Sendable (Channel, EndLog) -> any ChannelHandler)? = nil,
    _ body: (TestServer) async throws -> R
  ) async throws -> R {
    let server = try TestServer(
      configuration, endpoint: endpoint, loops: loops, options: options, handler: handler)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }
}

/// Bytes that aren't all the same.
func pattern(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
  var value = UInt32(seed) | 0x1234_5600
  return (0..<count).map { _ in
    value = value &* 1_664_525 &+ 1_013_904_223
    return UInt8(truncatingIfNeeded: value >> 24)
  }
}
