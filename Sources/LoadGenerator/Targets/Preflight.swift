import RPCTransport

/// Looks at this machine's limits before the first connection: what would fail later, in the middle
/// of the load and looking like a fault of the server, is said at once.
struct Preflight: Sendable {
  /// Open files that this process may have.
  var descriptors: Int

  /// Nil: the system doesn't tell.
  var ports: LocalPorts?

  /// Descriptors of a loop: its own, to be woken by, and what its connections may need for a
  /// moment.
  static let descriptorsPerLoop = 8

  /// Beside the connections and loops: standard streams, signals, resolver, files of the report.
  static let otherDescriptors = 16

  /// As this machine is. The limit of open files is raised as far as it goes.
  static func current() -> Preflight {
    Preflight(descriptors: DescriptorLimit.raise(), ports: LocalPorts.current())
  }

  /// Why so many connections can't be made; nil: they can.
  ///
  /// - Parameters:
  ///   - connections: at the same time.
  ///   - loops: event loops.
  ///   - addresses: of servers that they are spread over; 0: Unix sockets, which need no ports.
  func problem(connections: Int, loops: Int, addresses: Int) -> SetupError? {
    let needed =
      connections + Preflight.descriptorsPerLoop * loops + Preflight.otherDescriptors
    guard needed <= descriptors else {
      return SetupError(
        .resources,
        "\(connections) connections need \(needed) descriptors and the limit is \(descriptors);"
          + " use fewer --connections or raise it with ulimit -n")
    }
    guard addresses > 0, let ports else { return nil }
    let each = (connections + addresses - 1) / addresses
    guard each > ports.count else { return nil }
    return SetupError(
      .resources,
      "\(each) connections to one address of the server need as many local ports and there are"
        + " \(ports.count); use fewer --connections, give more addresses with --target, or widen"
        + " net.ipv4.ip_local_port_range")
  }

  /// What is said before connections are made again and again: that the ports may not last. Nil:
  /// they will.
  ///
  /// - Parameter total: connections in the whole run; nil: as many as there is time for.
  func warning(newConnections total: Int?, addresses: Int) -> String? {
    guard addresses > 0, let ports else { return nil }
    let free = max(0, ports.count * addresses - ports.timeWait)
    if let total, total <= free { return nil }
    let number = total.map { "\($0) new connections" } ?? "new connections without end"
    return "\(number), \(free) free local ports (\(ports.timeWait) wait in TIME_WAIT): if they"
      + " run out, calls fail with NO_LOCAL_PORT and this machine is the limit"
  }
}
