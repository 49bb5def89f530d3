extension SecondFigures {
  var json: JSONValue {
    func microseconds(_ value: UInt64?) -> JSONValue {
      .decimal(value.map { Double($0) / 1e3 })
    }
    return .members([
      "second": .decimal(second),
      "measured": .boolean(isMeasured),
      "planned": .optional(planned),
      "ok": .integer(ok),
      "failed": .integer(failed),
      "skipped": .integer(skipped),
      "in_flight": .integer(inFlight),
      "connections_opened": .integer(connectionsOpened),
      "p50_us": microseconds(p50),
      "p90_us": microseconds(p90),
      "p99_us": microseconds(p99),
      "max_us": microseconds(max),
      "hdr": histogram.map { .string($0.text) } ?? .null,
      "client_cores": .decimal(clientCores),
      "server_cores": .decimal(serverCores),
      "server_rss_bytes": .optional(serverResidentBytes),
      "server_descriptors": .optional(serverDescriptors),
      "server_context_switches": .optional(serverContextSwitches),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(
      second: try reader["second"].decimal(),
      isMeasured: try reader["measured"].boolean(),
      ok: try reader["ok"].integer(),
      failed: try reader["failed"].integer(),
      p50: try reader["p50_us"].optionalScaled(1e3),
      p99: try reader["p99_us"].optionalScaled(1e3),
      clientCores: try reader["client_cores"].decimal(),
      serverCores: try reader["server_cores"].optionalDecimal(),
      serverResidentBytes: try reader["server_rss_bytes"].optionalInteger())
    planned = try reader["planned"].optionalInteger()
    skipped = try reader["skipped"].integer()
    inFlight = try reader["in_flight"].integer()
    connectionsOpened = try reader["connections_opened"].integer()
    p90 = try reader["p90_us"].optionalScaled(1e3)
    max = try reader["max_us"].optionalScaled(1e3)
    histogram = try reader["hdr"].ifPresent { value throws(ReportFormatError) in
      guard let histogram = PackedHistogram(text: try value.string()) else {
        throw value.failure("expected Base64")
      }
      return histogram
    }
    serverDescriptors = try reader["server_descriptors"].optionalInteger()
    serverContextSwitches = try reader["server_context_switches"].optionalInteger()
  }
}
