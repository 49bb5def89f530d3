public import RPC
public import RPCTransport
import Synchronization

/// Serves registered methods over TLS.
///
/// ```swift
/// let server = try Server(registry, group: group)
/// let listener = try server.listen(on: address, tls: tls)
/// …
/// await server.drain(within: .seconds(30))
/// ```
public final class Server: Sendable {
  let parts: ServerParts
  let loops: [ServerLoop]
  private let watchdog: LoopWatchdog?
  let group: EventLoopGroup
  let drains = Atomic<Bool>(false)
  let listeners = Mutex<[Listener]>([])
  /// Those that were stopped too: their counts are the server's.
  let allListeners = Mutex<[Listener]>([])

  /// Makes a server, which doesn't listen yet.
  ///
  /// - Parameters:
  ///   - registry: The methods, each with its authorization rule.
  ///   - configuration: Limits, deadlines, interceptors.
  ///   - group: The event loops to serve on; the server doesn't shut them down.
  /// - Throws: `RegistrationError`, which names the methods that have no rule.
  public init(
    _ registry: MethodRegistry, configuration: ServerConfiguration = ServerConfiguration(),
    group: EventLoopGroup
  ) throws(RegistrationError) {
    let table = try registry.table(interceptors: configuration.interceptors) { label in
      group.loops.map { LabelledExecutor($0, label: label) }
    }
    let parts = ServerParts(table, configuration)
    self.parts = parts
    self.group = group
    let loops = group.loops.map { ServerLoop($0, parts) }
    self.loops = loops
    watchdog = configuration.slowHandlerThreshold.map { LoopWatchdog(loops, parts, threshold: $0) }
    watchdog?.start()
  }

  /// True once `drain` has told all connections: calls that come from now on are refused.
  public var isDraining: Bool { drains.load(ordering: .acquiring) }

  /// What was counted up to now.
  public var metrics: ServerMetrics {
    var sum = ServerMetrics()
    for loop in loops { loop.counters.add(to: &sum) }
    for listener in allListeners.withLock({ $0 }) { sum.listening += listener.counters }
    return sum
  }
}
