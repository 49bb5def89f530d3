extension LoadReport {
  /// The seconds as comma-separated values (RFC 4180), with a line of names; empty where there is
  /// no figure. The names are those of `series` in the JSON form, but for the histograms.
  public var csv: String {
    let names = SecondFigures.empty.columns.map(\.name)
    let lines = series.map { second in
      second.columns.map { $0.value == .null ? "" : $0.value.compact() }.joined(separator: ",")
    }
    return ([names.joined(separator: ",")] + lines).joined(separator: "\r\n") + "\r\n"
  }
}

extension SecondFigures {
  fileprivate static let empty = SecondFigures(
    second: 0, isMeasured: false, ok: 0, failed: 0, p50: nil, p99: nil, clientCores: 0)

  fileprivate var columns: [JSONValue.Member] {
    guard case .object(let members) = json else { return [] }
    return members.filter { $0.name != "hdr" }
  }
}
