import LoadReporting
import RPC
import RPCTransport

/// What this machine ran out of while it made the load. Such failures say nothing about the server.
enum GeneratorLimit: String, CaseIterable, Sendable {
  case localPort = "NO_LOCAL_PORT"
  case descriptor = "NO_DESCRIPTOR"

  /// Of a call that failed for it; nil: it failed for something else.
  init?(_ error: RPCError) {
    switch (error.cause as? ConnectError)?.code {
    case .noLocalPort: self = .localPort
    case .noDescriptor: self = .descriptor
    default: return nil
    }
  }

  /// What happened and what to do.
  func text(count: Int) -> String {
    let times = "\(Wording.grouped(count)) \(count == 1 ? "call" : "calls")"
    return switch self {
    case .localPort:
      "this machine had no local port left for \(times): make fewer new connections, give more"
        + " addresses with --target, widen net.ipv4.ip_local_port_range, or use more agents"
    case .descriptor:
      "this process had no descriptor left for \(times): raise the limit with ulimit -n, or use"
        + " more agents"
    }
  }

  /// Why the generator itself was the limit, as far as its failed calls say so.
  static func reasons(in failures: FailureTally) -> [String] {
    allCases.compactMap { limit in
      let count = failures.entries.filter { $0.kind.reason == limit.rawValue }
        .reduce(0) { $0 + $1.count }
      return count > 0 ? limit.text(count: count) : nil
    }
  }
}
