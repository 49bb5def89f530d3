extension LatencyHistogram {
  /// What is read off it, in microseconds; null where there is no value.
  var summaryJSON: JSONValue {
    func microseconds(_ value: UInt64?) -> JSONValue {
      .decimal(value.map { Double($0) / 1e3 })
    }
    return .members([
      "min": microseconds(count == 0 ? nil : min),
      "mean": .decimal(mean.map { $0 / 1e3 }),
      "p50": microseconds(percentile(0.5)),
      "p90": microseconds(percentile(0.9)),
      "p99": microseconds(percentile(0.99)),
      "p99_9": microseconds(percentile(0.999)),
      "max": microseconds(count == 0 ? nil : max),
    ])
  }

  /// All of it: index and count of each bucket that holds values; null: it is empty.
  var json: JSONValue {
    guard count > 0 else { return .null }
    let buckets = filledBuckets.flatMap { [JSONValue.integer($0.index), .integer($0.count)] }
    return .members([
      "count": .integer(count), "sum_ns": .integer(sum), "min_ns": .integer(min),
      "max_ns": .integer(max), "buckets": .array(buckets),
    ])
  }

  /// Reads what ``json`` wrote.
  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init()
    guard reader.value != .null else { return }
    let numbers = try reader["buckets"].list { element throws(ReportFormatError) in
      try element.integer(UInt64.self)
    }
    guard numbers.count.isMultiple(of: 2) else {
      throw reader["buckets"].failure("expected pairs of a bucket's index and its count")
    }
    var pairs: [(index: Int, count: UInt64)] = []
    for place in stride(from: 0, to: numbers.count, by: 2) {
      pairs.append((Int(clamping: numbers[place]), numbers[place + 1]))
    }
    guard
      fill(
        pairs, count: try reader["count"].integer(), sum: try reader["sum_ns"].integer(),
        min: try reader["min_ns"].integer(), max: try reader["max_ns"].integer())
    else {
      throw reader.failure("buckets, count, min_ns and max_ns don't fit together")
    }
  }
}
