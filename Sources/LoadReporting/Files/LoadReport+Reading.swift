extension LoadReport {
  /// Reads a report from its JSON form. Writing it again gives the same bytes.
  ///
  /// - Throws: ``ReportFormatError`` with the first member that is missing or wrong. Members that
  ///   this version doesn't know are left out.
  public init(json: JSONValue) throws(ReportFormatError) {
    let reader = MemberReader(value: json, path: "")
    try LoadReport.checkSchema(reader)
    self.init(
      scenario: try reader["scenario"].string(),
      commandLine: try reader["command_line"].strings(),
      startedAt: try reader["started_at_ms"].integer(from: .min),
      machine: try Machine(reader["machine"]),
      sharesHost: try reader["machine"]["shares_host_with_server"].boolean(),
      load: try reader["load"].object(),
      ending: try LoadReport.ending(reader),
      seconds: try reader["measured_seconds"].decimal(),
      calls: try CallFigures(reader["calls"]),
      steps: try reader["steps"].list(StepFigures.init),
      connections: try ConnectionFigures(reader["connections"]),
      client: try ProcessFigures(reader["client"]),
      server: try reader["server"].ifPresent(ProcessFigures.init),
      checks: try reader["checks"].list(CheckResult.init),
      series: try reader["series"].list(SecondFigures.init))
    tool = try reader["tool"].string()
    serverFacts = try ServerFacts(reader["server_facts"])
    delivery = try LoadFigures(reader["delivery"])
    scenarios = try reader["scenarios"].list(ScenarioFigures.init)
    phases = try reader["phases"].list(PhaseFigures.init)
    thresholds = try reader["thresholds"].list(ThresholdResult.init)
    saturation = try reader["saturation"].strings()
    remarks = try reader["remarks"].strings()
    agents = try reader["agents"].list(AgentFigures.init)
    toleratesLostAgents =
      try reader["tolerates_lost_agents"].ifPresent { value throws(ReportFormatError) in
        try value.boolean()
      } ?? false
  }

  /// As it is after it was written and read: figures rounded as in the file. Whatever is made of
  /// a report for people starts here, so that it is the same from a run and from its file.
  public var normalised: LoadReport {
    (try? LoadReport(json: json)) ?? self
  }

  private static func checkSchema(_ reader: MemberReader) throws(ReportFormatError) {
    guard let schema = reader.value?["schema"]?.string else {
      throw reader["schema"].failure("missing; not a report of onside-load")
    }
    guard schema == LoadReport.schema else {
      throw reader["schema"].failure("\(schema); this program reads \(LoadReport.schema)")
    }
  }

  private static func ending(_ reader: MemberReader) throws(ReportFormatError) -> Ending {
    switch try reader["ended_by"].string() {
    case "duration": .duration
    case "calls": .calls
    case "interrupted": .interrupted
    case "aborted": .aborted(try reader["ended_because"].string())
    default:
      throw reader["ended_by"].wrong("one of duration, calls, interrupted, aborted")
    }
  }
}

extension MemberReader {
  /// A list of strings.
  func strings() throws(ReportFormatError) -> [String] {
    try list { element throws(ReportFormatError) in try element.string() }
  }
}
