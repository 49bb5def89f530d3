extension ProcessFigures {
  /// - Parameters:
  ///   - ok: the right answers that its CPU time is divided by.
  ///   - seconds: how long was measured.
  func json(ok: Int, seconds: Double) -> JSONValue {
    let cpu = Double(cpuNanoseconds)
    var members: [JSONValue.Member] = [
      .init("pid", .integer(pid)),
      .init("cpu_us_per_call", .decimal(ok > 0 ? cpu / 1e3 / Double(ok) : nil)),
      .init("cpu_seconds", .decimal(cpu / 1e9, places: 9)),
      .init("cores_used", .decimal(seconds > 0 ? cpu / 1e9 / seconds : nil)),
      .init("rss_bytes", .optional(residentBytes)),
      .init("peak_rss_bytes", .optional(peakResidentBytes)),
      .init("descriptors", .optional(descriptors)),
      .init("context_switches", .optional(contextSwitches)),
      .init("syncs", .optional(syncs)),
    ]
    if let liveBytes { members.append(.init("live_bytes", .integer(liveBytes))) }
    if let bytes = residentBytesPerConnection {
      members.append(.init("rss_bytes_per_connection", .decimal(bytes, places: 0)))
    }
    if let cpu = idleCPUNanoseconds {
      members.append(.init("idle_cpu_ms", .decimal(Double(cpu) / 1e6, places: 6)))
    }
    return .object(members)
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(
      pid: try reader["pid"].integer(),
      cpuNanoseconds: try reader["cpu_seconds"].scaled(1e9),
      residentBytes: try reader["rss_bytes"].optionalInteger(),
      peakResidentBytes: try reader["peak_rss_bytes"].optionalInteger())
    descriptors = try reader["descriptors"].optionalInteger()
    contextSwitches = try reader["context_switches"].optionalInteger()
    syncs = try reader["syncs"].optionalInteger()
    liveBytes = try reader["live_bytes"].optionalInteger()
    residentBytesPerConnection = try reader["rss_bytes_per_connection"].optionalDecimal()
    idleCPUNanoseconds = try reader["idle_cpu_ms"].optionalScaled(1e6)
  }
}

extension JSONValue {
  /// A whole number, or null.
  static func optional<Value: BinaryInteger>(_ value: Value?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }
}
