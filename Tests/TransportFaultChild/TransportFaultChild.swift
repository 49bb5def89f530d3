import CSystemFaults
import Glibc
import RPCCore
import RPCTransport
import Synchronization
import SystemFaults

/// For each kind of failure: exchanges in which the first such call fails, then the second, and so
/// on until an exchange has fewer calls. Prints a line a kind; the first broken rule ends it.
@main
struct TransportFaultChild {
  private let group: EventLoopGroup
  private let listener: Listener
  private let endpoint: Endpoint
  private let tls: ClientTLS
  private let current = CurrentExchange()

  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      FaultRuns.fail("usage: transport-fault-child FOLDER")
    }
    do {
      let child = try TransportFaultChild(certificates: CommandLine.arguments[1])
      await FaultRuns.runAll(child.runExchange)
      for fault in Fault.ofLoops { await makeLoops(fault) }
      try await ExactTimers.run()
    } catch {
      FaultRuns.fail("\(error)")
    }
    exit(0)
  }

  private init(certificates folder: String) throws {
    let protocols = ["test/1"]
    group = try EventLoopGroup(loops: 2)
    let server = try ServerTLS(
      ServerTLS.Configuration(
        certificateFile: folder + "/server.pem", keyFile: folder + "/server.key",
        applicationProtocols: protocols))
    var options = ListenerOptions()
    options.shortageBackOff = .milliseconds(20)
    let current = current
    listener = try Listener.bind(
      to: .host("127.0.0.1", port: 0), tls: server, group: group, options: options
    ) { _ in
      ServerSide(current.exchange)
    }
    endpoint = .host("127.0.0.1", port: listener.localAddress.port)
    var configuration = ClientTLS.Configuration(applicationProtocols: protocols)
    configuration.trust = .file(folder + "/ca.pem")
    tls = try ClientTLS(configuration)
  }

  /// Makes loops, which fails and leaves nothing behind.
  private static func makeLoops(_ fault: Fault) async {
    let descriptors = csystem_open_descriptors()
    var nth: Int32 = 1
    while true {
      csystem_arm(fault.call, nth, fault.error)
      let loops = try? EventLoopGroup(loops: 2)
      let hasFailed = csystem_disarm() > 0
      if let loops { await loops.shutdown() }
      guard hasFailed else { break }
      if loops != nil { FaultRuns.fail("\(fault.name), call \(nth): there are loops all the same") }
      if csystem_open_descriptors() != descriptors || csystem_wrong_closes() > 0 {
        FaultRuns.fail("\(fault.name), call \(nth): descriptors are left, or were closed twice")
      }
      nth += 1
    }
    print("\(fault.name): \(nth - 1) failed")
  }

  /// Runs an exchange until both sides are done with it.
  private func runExchange() async -> ExchangeOutcome {
    let exchange = Exchange()
    current.exchange = exchange
    exchange.start(endpoint, tls, group.next())
    for _ in 0..<100_000 {
      let told = exchange.told
      if told.isClientDone, told.serverActive == told.serverEnds, listener.counters.open == 0 {
        return outcome(told)
      }
      usleep(300)
    }
    FaultRuns.fail(
      "doesn't come to an end: \(exchange.told), \(listener.counters.open) channels are open")
  }

  private func outcome(_ told: Exchange.Told) -> ExchangeOutcome {
    if told.completions != 1 || told.clientEnds != (told.isConnected ? 1 : 0) {
      FaultRuns.fail("the client wasn't told once: \(told)")
    }
    if told.replies + told.errors.count != 1 {
      FaultRuns.fail("neither one reply nor one error: \(told)")
    }
    if told.errors.contains(where: { $0.contains("deadline") }) {
      FaultRuns.fail("nobody noticed: \(told)")
    }
    return ExchangeOutcome(error: told.errors.first)
  }
}

/// The exchange that the next accepted connection belongs to.
private final class CurrentExchange: Sendable {
  private let state = Mutex(Exchange())

  var exchange: Exchange {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
