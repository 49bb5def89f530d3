extension LoadFigures {
  var json: JSONValue {
    .members([
      "planned": .integer(planned),
      "sent": .integer(sent),
      "completed": .integer(completed),
      "ok": .integer(ok),
      "skipped": .integer(skipped),
      "unsent": .integer(unsent),
      "late": .integer(late),
      "late_after_us": .decimal(Double(lateAfter) / 1e3),
      "delivered": .decimal(delivered, places: 6),
      "in_flight_max": .integer(inFlightMax),
      "in_flight_at_end": .integer(inFlightAtEnd),
      "lag_us": lag.summaryJSON,
      "lag_histogram": lag.json,
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init()
    planned = try reader["planned"].integer()
    sent = try reader["sent"].integer()
    completed = try reader["completed"].integer()
    ok = try reader["ok"].integer()
    skipped = try reader["skipped"].integer()
    unsent = try reader["unsent"].integer()
    late = try reader["late"].integer()
    lateAfter = try reader["late_after_us"].scaled(1e3)
    inFlightMax = try reader["in_flight_max"].integer()
    inFlightAtEnd = try reader["in_flight_at_end"].optionalInteger() ?? 0
    lag = try LatencyHistogram(reader["lag_histogram"])
  }
}
