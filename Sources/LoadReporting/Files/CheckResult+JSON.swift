extension CheckResult {
  var json: JSONValue {
    .members([
      "name": .string(name),
      "title": .string(title),
      "checked": .integer(checked),
      "violations": .integer(violations),
      "sample": .text(sample),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(
      name: try reader["name"].string(), title: try reader["title"].string(),
      checked: try reader["checked"].integer(), violations: try reader["violations"].integer(),
      sample: try reader["sample"].optionalString())
  }
}

extension ThresholdResult {
  var json: JSONValue {
    .members([
      "text": .string(text), "actual": .text(actual), "crossed": .boolean(isCrossed),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init(
      text: try reader["text"].string(), actual: try reader["actual"].optionalString(),
      isCrossed: try reader["crossed"].boolean())
  }
}
