import CLinux
import COpenSSL
import RPCCore
import Synchronization

/// One connection being made: name, socket, handshake. Confined to its loop.
public final class ConnectAttempt: @unchecked Sendable {
  let endpoint: Endpoint
  private let address: SocketAddress?
  let tls: ClientTLS
  let deadline: MonotonicInstant
  let loop: EventLoop
  let limits: ChannelLimits
  private let makeHandler: @Sendable (Channel) -> any ChannelHandler
  private var completion: (@Sendable (Result<Channel, ConnectError>) -> Void)?
  private var timer: LoopTimer?
  private var phase = ConnectError.Phase.resolve
  private var addresses: ArraySlice<SocketAddress> = []
  private var socket: ConnectingSocket?
  private var channel: Channel?
  private var failures: [String] = []
  private var lastCode = ConnectError.Code.unreachable

  /// When the present address was tried first, and when its socket was connected.
  private var socketStarted = MonotonicInstant(nanoseconds: 0)
  private var tlsStarted = MonotonicInstant(nanoseconds: 0)

  init(
    endpoint: Endpoint, address: SocketAddress?, tls: ClientTLS, deadline: MonotonicInstant,
    loop: EventLoop, limits: ChannelLimits,
    makeHandler: @escaping @Sendable (Channel) -> any ChannelHandler,
    completion: @escaping @Sendable (Result<Channel, ConnectError>) -> Void
  ) {
    self.endpoint = endpoint
    self.address = address
    self.tls = tls
    self.deadline = deadline
    self.loop = loop
    self.limits = limits
    self.makeHandler = makeHandler
    self.completion = completion
  }

  /// Gives the attempt up, if it is still under way; its completion gets a ``ConnectError`` with
  /// code ``ConnectError/Code/shutdown``. From any thread.
  public func cancel() {
    loop.post { self.finish(.shutdown, "cancelled") }
  }

  func loopStops() {
    finish(.shutdown, "the event loop is shutting down")
  }

  func begin() {
    guard !loop.isStopping else { return loopStops() }
    timer = loop.schedule(at: deadline) { self.deadlinePassed() }
    if let address = address ?? Resolver.immediate(endpoint) {
      return resolved(.success([address]))
    }
    Resolver.resolve(endpoint) { result in self.loop.post { self.resolved(result) } }
  }

  private func resolved(_ result: Result<[SocketAddress], Resolver.Failure>) {
    guard completion != nil else { return }
    switch result {
    case .success(let list):
      phase = .tcp
      addresses = list[...]
      tryNextAddress()
    case .failure(let failure):
      finish(.unknownHost, "\(failure.text) ('\(endpoint.host)')")
    }
  }

  private func tryNextAddress() {
    guard completion != nil else { return }
    guard let address = addresses.popFirst() else {
      return finish(lastCode, failures.joined(separator: "; "))
    }
    socketStarted = .current()
    let left = deadline.nanoseconds(since: socketStarted)
    let share = left / Int64(addresses.count + 1)
    let socket = ConnectingSocket(address, attempt: self)
    self.socket = socket
    // Each address gets its share of the time: one that swallows packets mustn't take it all.
    socket.start(until: socketStarted.advanced(byNanoseconds: share))
  }

  func socketFailed(_ address: SocketAddress, _ code: Int32) {
    socket = nil
    let (kind, text) = Self.meaning(of: code)
    lastCode = kind
    failures.append("\(address): \(text)")
    tryNextAddress()
  }

  /// What an error number says about the attempt.
  private static func meaning(of code: Int32) -> (ConnectError.Code, String) {
    let text = SystemError.text(code)
    switch code {
    case ECONNREFUSED, ENOENT: return (.refused, text)
    case ETIMEDOUT: return (.deadline, text)
    case EADDRNOTAVAIL:
      return (
        .noLocalPort,
        "this machine has no local port or address left for a connection to it (\(text))"
      )
    case EMFILE, ENFILE:
      return (.noDescriptor, "this process has no descriptor left for a socket (\(text))")
    default: return (.unreachable, text)
    }
  }

  func socketConnected(_ socket: ConnectingSocket, _ descriptor: Int32) {
    self.socket = nil
    phase = .tls
    tlsStarted = .current()
    guard let ssl = tls.makeConnection(to: endpoint) else {
      loop.unwatch(socket, descriptor)
      close(descriptor)
      return finish(.tls, "OpenSSL doesn't take the name '\(tls.name(for: endpoint))'")
    }
    if socket.address.isTCP { clinux_prepare_stream(descriptor, limits.userTimeout) }
    let channel = Channel(
      loop: loop, id: ChannelNumbers.next(), descriptor: descriptor, ssl: ssl,
      peer: socket.address, limits: limits, opener: self)
    self.channel = channel
    if !loop.register(channel, replacing: socket) {
      self.channel = nil
      loop.unwatch(socket, descriptor)
      close(descriptor)
      loopStops()
    }
  }

  private func deadlinePassed() {
    let doing =
      switch phase {
      case .resolve: "looking up '\(endpoint.host)'"
      case .tcp:
        "connecting" + (failures.isEmpty ? "" : " (" + failures.joined(separator: "; ") + ")")
      case .tls: "in the TLS handshake"
      }
    finish(.deadline, "the deadline passed while \(doing)")
  }

  /// Ends the attempt without a channel.
  private func finish(_ code: ConnectError.Code, _ text: String) {
    guard let completion = take() else { return }
    socket?.abandon()
    socket = nil
    channel?.close(.abort)
    channel = nil
    completion(.failure(ConnectError(phase, code, endpoint, text)))
  }

  /// The completion, if it hasn't been called yet.
  private func take() -> (@Sendable (Result<Channel, ConnectError>) -> Void)? {
    defer { completion = nil }
    timer?.disarm()
    timer = nil
    return completion
  }
}

extension ConnectAttempt: ChannelOpener {
  var security: any ChannelSecurity { tls }
  var serverKey: Endpoint? { endpoint }

  func channelEstablished(_ channel: Channel) -> any ChannelHandler {
    channel.connectTimes.tcp = socketStarted.duration(to: tlsStarted)
    channel.connectTimes.tls = tlsStarted.duration(to: .current())
    let handler = makeHandler(channel)
    self.channel = nil
    if let completion = take() {
      // After `channelActive`, which the channel calls next.
      loop.afterPass(ConnectCompletion { completion(.success(channel)) })
    }
    return handler
  }

  func channelFailed(_ channel: Channel, _ end: ChannelEnd) {
    self.channel = nil
    let code: ConnectError.Code =
      switch end.code {
      case .noApplicationProtocol: .noApplicationProtocol
      case .truncated, .reset: .closed
      case .handshakeTimeout: .deadline
      case .aborted: .shutdown
      default: end.verification == 0 ? .tls : .certificate
      }
    finish(code, end.text)
  }

  func channelReleased(_ channel: Channel) {}
}

/// A completion that is called when the pass ends.
private final class ConnectCompletion: PassParticipant {
  let work: () -> Void

  init(_ work: @escaping () -> Void) {
    self.work = work
  }

  func passEnds(on loop: EventLoop) {
    work()
  }
}
