extension ConnectionFigures {
  var json: JSONValue {
    .members([
      "opened": .integer(opened),
      "failed": .integer(failed),
      "lost": .integer(lost),
      "tls_full": .integer(fullHandshakes),
      "tls_resumed": .integer(resumedHandshakes),
      "tls_failed": .integer(failedHandshakes),
      "tls_hello_retries": .integer(helloRetries),
      "resumption_rate": .decimal(resumptionRate, places: 6),
      "tickets": .integer(tickets),
      "bytes_sent": .integer(bytesSent),
      "bytes_received": .integer(bytesReceived),
      "load_bytes_sent": .integer(loadBytesSent),
      "load_bytes_received": .integer(loadBytesReceived),
      "security": .text(security),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init()
    opened = try reader["opened"].integer()
    failed = try reader["failed"].integer()
    lost = try reader["lost"].integer()
    fullHandshakes = try reader["tls_full"].integer()
    resumedHandshakes = try reader["tls_resumed"].integer()
    failedHandshakes = try reader["tls_failed"].integer()
    helloRetries = try reader["tls_hello_retries"].integer()
    tickets = try reader["tickets"].integer()
    bytesSent = try reader["bytes_sent"].integer()
    bytesReceived = try reader["bytes_received"].integer()
    loadBytesSent = try reader["load_bytes_sent"].optionalInteger() ?? 0
    loadBytesReceived = try reader["load_bytes_received"].optionalInteger() ?? 0
    security = try reader["security"].optionalString()
  }
}

extension MemberReader {
  /// A string; nil: null, or not there.
  func optionalString() throws(ReportFormatError) -> String? {
    try ifPresent { member throws(ReportFormatError) in try member.string() }
  }

  /// A whole number; nil: null, or not there.
  func optionalInteger<Value: FixedWidthInteger>() throws(ReportFormatError) -> Value? {
    try ifPresent { member throws(ReportFormatError) in try member.integer() }
  }

  /// A number; nil: null, or not there.
  func optionalDecimal() throws(ReportFormatError) -> Double? {
    try ifPresent { member throws(ReportFormatError) in try member.decimal() }
  }

  /// A part's count; nil: null, or not there.
  func optionalScaled(_ scale: Double) throws(ReportFormatError) -> UInt64? {
    try ifPresent { member throws(ReportFormatError) in try member.scaled(scale) }
  }
}
