extension ReportPage {
  /// What somebody needs who wants to check the figures.
  var setUp: Markup {
    let machine = report.machine
    let facts = report.serverFacts
    let known: [(name: String, value: Markup?)] = [
      ("started", "\(utc(milliseconds: report.startedAt))"),
      ("generator", report.tool.isEmpty ? nil : "\(report.tool)"),
      ("server", facts.build.map { "\($0)" }),
      ("host", "\(machine.hostName)"), ("kernel", "\(machine.kernel)"),
      ("processor", "\(machine.cpuModel)"),
      ("cores for the generator", "\(machine.usableCores) of \(machine.cores)"),
      ("cores for the server", facts.usableCores.map { "\($0)" }),
      ("server event loops", facts.loops.map { "\($0)" }),
      ("generator and server on one host", report.sharesHost ? "yes" : "not known to be"),
      ("TLS", report.connections.security.map { "\($0)" }),
      ("server TLS library", facts.tlsLibrary.map { "\($0)" }),
      ("durability", facts.durability.map { "\($0)" }),
    ]
    let load = report.load.map { member in
      (
        name: member.name.split(separator: "_").joined(separator: " "),
        value: plain(member.value) as Markup?
      )
    }
    let command = report.commandLine.map(ReportPage.quoted).joined(separator: " ")
    return """
      \(PageFrame.facts(known + load))<pre aria-label="command line">\(command)</pre>

      """
  }

  private func plain(_ value: JSONValue) -> Markup? {
    switch value {
    case .null: nil
    default: "\(ReportPage.words(value))"
    }
  }

  /// A value without the signs of JSON: `from 100, to 400, seconds 5; from 400, …`.
  static func words(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let elements):
      elements.map(words).joined(separator: elements.contains { $0.isObject } ? "; " : ", ")
    case .object(let members):
      members.map { "\($0.name) \(words($0.value))" }.joined(separator: ", ")
    default: value.compact()
    }
  }

  /// A word of a command line as a shell reads it.
  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-_./:=,@%+".unicodeScalars.contains(scalar)
    }
    if isPlain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}

extension JSONValue {
  fileprivate var isObject: Bool {
    if case .object = self { true } else { false }
  }
}
