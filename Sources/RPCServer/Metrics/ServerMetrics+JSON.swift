import RPCTransport

extension ServerMetrics {
  /// All counters as one JSON object on one line, always in the same order: for logs.
  public var json: String {
    let calls = calls.map { (name: "\($0.key)", count: $0.value) }
    let members: [(String, String)] = [
      ("calls", object(calls.map { ($0.name, $0.count) })),
      ("immediate_calls", "\(immediateCalls)"), ("running_handlers", "\(runningHandlers)"),
      ("cancelled_calls", "\(cancelledCalls)"), ("expired_calls", "\(expiredCalls)"),
      ("not_started_calls", "\(notStartedCalls)"), ("unstarted_calls", "\(unstartedCalls)"),
      ("slow_handlers", "\(slowHandlers)"), ("hidden_errors", "\(hiddenErrors)"),
      ("accepted_connections", "\(acceptedConnections)"),
      ("open_connections", "\(openConnections)"),
      ("truncated_connections", "\(truncatedConnections)"),
      ("truncated_frames", "\(truncatedFrames)"), ("idle_connections", "\(idleConnections)"),
      ("aged_connections", "\(agedConnections)"),
      ("outlived_connections", "\(outlivedConnections)"),
      ("connection_ends", object(connectionEnds.map { ($0.key, $0.value) })),
      ("violations", object(violations.map { ($0.key, $0.value) })),
      ("received_bytes", "\(receivedBytes)"), ("sent_bytes", "\(sentBytes)"),
      ("listening", listening.json), ("methods", methodsJSON),
    ]
    return Self.join(members)
  }

  private var methodsJSON: String {
    Self.join(
      methods.sorted { $0.key < $1.key }.map { path, counts in
        let answered = counts.answered.map { ("\($0.key)", $0.value) }
        return (
          path,
          Self.join([("started", "\(counts.started)"), ("answered", object(answered))])
        )
      })
  }

  fileprivate static func join(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }
}

extension ListenerCounters {
  fileprivate var json: String {
    ServerMetrics.join([
      ("accepted", "\(accepted)"), ("open", "\(open)"), ("handshaking", "\(handshaking)"),
      ("refused", "\(refused)"), ("refused_by_address", "\(refusedByAddress)"),
      ("waits", "\(waits)"), ("shortages", "\(shortages)"), ("handshakes", "\(handshakes)"),
      ("resumed", "\(resumed)"),
      ("handshake_failures", object(handshakeFailureReasons.map { ($0.key, $0.value) })),
    ])
  }
}

/// Counts by name. The names are the program's own: nothing in them needs escaping.
private func object(_ counts: [(String, Int)]) -> String {
  let members = counts.sorted { $0.0 < $1.0 }.map { ($0.0, "\($0.1)") }
  return ServerMetrics.join(members)
}
