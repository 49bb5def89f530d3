import CSystemFaults
import Glibc
import RPCCore
import RPCTransport
import Synchronization

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
    guard CommandLine.arguments.count == 2 else { fail("usage: transport-fault-child FOLDER") }
    do {
      let child = try TransportFaultChild(certificates: CommandLine.arguments[1])
      // Once without a failure: what is set up at first use is there afterwards.
      _ = child.run(Exchange(), descriptors: nil)
      for fault in Fault.all { child.run(fault) }
      for fault in Fault.ofLoops { await makeLoops(fault) }
    } catch {
      fail("\(error)")
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

  private func run(_ fault: Fault) {
    let descriptors = csystem_open_descriptors()
    var nth: Int32 = 1
    var succeeded = 0
    while true {
      let exchange = Exchange()
      csystem_arm(fault.call, nth, fault.error)
      let told = run(exchange, descriptors: descriptors)
      let hasFailed = csystem_disarm() > 0
      check(told, fault, nth, hasFailed: hasFailed)
      guard hasFailed else { break }
      if told.replies == 1 { succeeded += 1 }
      nth += 1
    }
    print("\(fault.name): \(nth - 1) failed, \(succeeded) exchanges succeeded nevertheless")
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
      if loops != nil { fail("\(fault.name), call \(nth): there are loops all the same") }
      if csystem_open_descriptors() != descriptors || csystem_wrong_closes() > 0 {
        fail("\(fault.name), call \(nth): descriptors are left, or were closed twice")
      }
      nth += 1
    }
    print("\(fault.name): \(nth - 1) failed")
  }

  /// Runs an exchange until both sides are done with it and hold no descriptor for it.
  private func run(_ exchange: Exchange, descriptors: Int32?) -> Exchange.Told {
    current.exchange = exchange
    exchange.start(endpoint, tls, group.next())
    let limit = MonotonicInstant.current().advanced(by: .seconds(30))
    while MonotonicInstant.current() < limit {
      let told = exchange.told
      if told.isClientDone, told.serverActive == told.serverEnds, listener.counters.open == 0,
        descriptors.map({ $0 == csystem_open_descriptors() }) ?? true
      {
        return told
      }
      usleep(300)
    }
    fail(
      "doesn't come to an end: \(exchange.told), \(listener.counters.open) channels are open,"
        + " \(csystem_open_descriptors()) descriptors, before \(descriptors ?? -1)")
  }

  private func check(_ told: Exchange.Told, _ fault: Fault, _ nth: Int32, hasFailed: Bool) {
    let name = "\(fault.name), call \(nth)"
    if told.completions != 1 || told.clientEnds != (told.isConnected ? 1 : 0) {
      fail("\(name): the client was told more than once: \(told)")
    }
    if told.replies + told.errors.count != 1 {
      fail("\(name): neither one reply nor one error: \(told)")
    }
    if (fault.isHarmless || !hasFailed) && told.replies != 1 {
      fail("\(name): no reply, and nothing serious has happened: \(told)")
    }
    if told.errors.contains(where: { $0.contains("deadline") }) {
      fail("\(name): nobody noticed: \(told)")
    }
    if csystem_wrong_closes() > 0 { fail("\(name): a descriptor was closed twice") }
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

private func fail(_ text: String) -> Never {
  print("FAILED \(text)")
  exit(1)
}
