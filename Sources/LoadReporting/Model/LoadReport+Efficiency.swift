// What one right answer costs. Nil wherever that isn't known: there was none, or nobody measured.

extension LoadReport {
  /// CPU time of the server, in nanoseconds.
  public var serverCPUPerCall: Double? { perCall(server.map { Double($0.cpuNanoseconds) }) }

  /// CPU time of the generator, in nanoseconds.
  public var clientCPUPerCall: Double? { perCall(Double(client.cpuNanoseconds)) }

  /// Times that the server's disk had to make writes durable.
  public var syncsPerCall: Double? { perCall(server?.syncs.map { Double($0) }) }

  /// Context switches of the server, voluntary and not.
  public var contextSwitchesPerCall: Double? {
    perCall(server?.contextSwitches.map { Double($0) })
  }

  /// Bytes on the wire from the generator to the server: all of the load, with what failed calls
  /// and new connections take.
  public var bytesSentPerCall: Double? { perWholeCall(connections.loadBytesSent) }

  /// Bytes on the wire from the server to the generator, likewise.
  public var bytesReceivedPerCall: Double? { perWholeCall(connections.loadBytesReceived) }

  private func perCall(_ value: Double?) -> Double? {
    calls.ok > 0 ? value.map { $0 / Double(calls.ok) } : nil
  }

  /// Of what is counted in the whole load, not in the measured window alone.
  private func perWholeCall(_ bytes: UInt64) -> Double? {
    let calls = calls.ok + calls.okOutside
    // What a lost agent's connections moved isn't known, though some of its calls are.
    guard bytes > 0, calls > 0, !agents.contains(where: { $0.state == .lost }) else { return nil }
    return Double(bytes) / Double(calls)
  }

  /// In the report: computed, for who reads the file.
  var efficiencyJSON: JSONValue {
    .members([
      "server_cpu_us_per_call": .decimal(serverCPUPerCall.map { $0 / 1e3 }),
      "client_cpu_us_per_call": .decimal(clientCPUPerCall.map { $0 / 1e3 }),
      "bytes_sent_per_call": .decimal(bytesSentPerCall, places: 1),
      "bytes_received_per_call": .decimal(bytesReceivedPerCall, places: 1),
      "syncs_per_call": .decimal(syncsPerCall, places: 6),
      "context_switches_per_call": .decimal(contextSwitchesPerCall, places: 6),
      "rss_bytes_per_idle_connection": .decimal(server?.residentBytesPerConnection, places: 0),
    ])
  }
}
