/// Lets one line per key and interval through, and counts the others.
///
/// A plain value. It remembers a bounded number of keys: when it is full, keys whose interval is
/// over and that suppressed nothing are forgotten; if there are none, all further keys share one
/// entry, so that a peer can't make it grow.
struct RateLimits {
  static let mostKeys = 256
  private static let overflow = ""

  private struct Entry {
    var opensAt: Int64
    var suppressed = 0
  }

  private var entries: [String: Entry] = [:]

  /// - Returns: nil if the line isn't to be written; else how many were suppressed since the last.
  mutating func admit(_ key: String, interval: Int64, now: Int64) -> Int? {
    var key = key
    if entries[key] == nil, entries.count >= RateLimits.mostKeys {
      entries = entries.filter { $0.value.suppressed > 0 || $0.value.opensAt > now }
      if entries.count >= RateLimits.mostKeys { key = RateLimits.overflow }
    }
    if var entry = entries[key], now < entry.opensAt {
      entry.suppressed += 1
      entries[key] = entry
      return nil
    }
    let suppressed = entries[key]?.suppressed ?? 0
    entries[key] = Entry(opensAt: now.addingReportingOverflow(interval).partialValue)
    return suppressed
  }

  /// How many lines each key suppressed since its last line; the counts start anew.
  mutating func takeSuppressed() -> [(key: String, count: Int)] {
    let counts = entries.filter { $0.value.suppressed > 0 }
      .map { (key: $0.key.isEmpty ? "others" : $0.key, count: $0.value.suppressed) }
      .sorted { $0.key < $1.key }
    for key in entries.keys { entries[key]?.suppressed = 0 }
    return counts
  }
}
