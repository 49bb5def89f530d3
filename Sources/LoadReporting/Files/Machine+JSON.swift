extension Machine {
  /// Its members; a report has one more beside them.
  var members: [JSONValue.Member] {
    [
      .init("host", .string(hostName)),
      .init("kernel", .string(kernel)),
      .init("cpu", .string(cpuModel)),
      .init("cores", .integer(cores)),
      .init("usable_cores", .integer(usableCores)),
    ]
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(
      hostName: try reader["host"].string(), kernel: try reader["kernel"].string(),
      cpuModel: try reader["cpu"].string(),
      usableCores: try reader["usable_cores"].integer(), cores: try reader["cores"].integer())
  }
}

extension ServerFacts {
  var json: JSONValue {
    .members([
      "build": .text(build),
      "durability": .text(durability),
      "tls_library": .text(tlsLibrary),
      "usable_cores": .optional(usableCores),
      "loops": .optional(loops),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init()
    build = try reader["build"].optionalString()
    durability = try reader["durability"].optionalString()
    tlsLibrary = try reader["tls_library"].optionalString()
    usableCores = try reader["usable_cores"].optionalInteger()
    loops = try reader["loops"].optionalInteger()
  }
}

extension AgentFigures {
  func json(seconds: Double) -> JSONValue {
    .members([
      "name": .string(name),
      "state": .string(state.rawValue),
      "reason": .text(reason),
      "start_lag_ns": .integer(startLag),
      "machine": .object(machine.members),
      "load": load.json,
      "process": process.json(ok: load.ok, seconds: seconds),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(
      name: try reader["name"].string(), machine: try Machine(reader["machine"]),
      state: try reader["state"].word(), reason: try reader["reason"].optionalString(),
      startLag: try reader["start_lag_ns"].integer(from: .min),
      load: try LoadFigures(reader["load"]), process: try ProcessFigures(reader["process"]))
  }
}
