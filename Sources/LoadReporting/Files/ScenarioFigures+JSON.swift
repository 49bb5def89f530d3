extension ScenarioFigures {
  func json(seconds: Double) -> JSONValue {
    .members([
      "name": .string(name),
      "weight": .decimal(weight, places: 6),
      "clients": .optional(clients),
      "calls": calls.json(seconds: seconds),
      "steps": .array(steps.map(\.json)),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(name: try reader["name"].string(), weight: try reader["weight"].decimal())
    clients = try reader["clients"].optionalInteger()
    calls = try CallFigures(reader["calls"])
    steps = try reader["steps"].list(StepFigures.init)
  }
}

extension StepFigures {
  var json: JSONValue {
    .members([
      "name": .string(name),
      "ok": .integer(latency.count),
      "latency_us": latency.summaryJSON,
      "latency_histogram": latency.json,
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(name: try reader["name"].string())
    latency = try LatencyHistogram(reader["latency_histogram"])
  }
}

extension PhaseFigures {
  var json: JSONValue {
    .members([
      "phase": .string(phase.rawValue),
      "count": .integer(latency.count),
      "latency_us": latency.summaryJSON,
      "latency_histogram": latency.json,
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(try reader["phase"].word())
    latency = try LatencyHistogram(reader["latency_histogram"])
  }
}
