/// The local ports that this machine gives to connections which it makes.
///
/// A connection is told from others by both of its ends, so that each address and port of a server
/// can be reached by as many connections as there are local ports. One that this side has closed
/// keeps its port for a minute (TIME_WAIT).
struct LocalPorts: Sendable, Equatable {
  /// From the lowest to the highest.
  var range: ClosedRange<Int>

  /// Those of them that the system keeps back.
  var reserved = 0

  /// Connections of the whole machine that hold a port though they have ended.
  var timeWait = 0

  /// How many can be used.
  var count: Int { range.count - reserved }

  /// As the system says; nil if it doesn't.
  static func current(proc: String = "/proc") -> LocalPorts? {
    guard let text = textFile(proc + "/sys/net/ipv4/ip_local_port_range"),
      let range = range(text)
    else { return nil }
    let reserved = textFile(proc + "/sys/net/ipv4/ip_local_reserved_ports") ?? ""
    return LocalPorts(
      range: range, reserved: Self.reserved(reserved, in: range),
      timeWait: timeWait(textFile(proc + "/net/sockstat") ?? ""))
  }

  /// From `32768	60999`.
  static func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard ends.count == 2, ends[0] <= ends[1] else { return nil }
    return ends[0]...ends[1]
  }

  /// How many of `8080,40000-40009` lie in the range.
  static func reserved(_ text: String, in range: ClosedRange<Int>) -> Int {
    text.split { $0 == "," || $0.isWhitespace }.reduce(0) { sum, part in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return sum }
      return sum + range.clamped(to: first...last).count * (range.overlaps(first...last) ? 1 : 0)
    }
  }

  /// The number behind `tw` in the line `TCP: inuse 5 orphan 0 tw 12 alloc 7 mem 1`.
  static func timeWait(_ text: String) -> Int {
    for line in text.split(separator: "\n") where line.hasPrefix("TCP:") {
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "tw"), place + 1 < words.count else { return 0 }
      return Int(words[place + 1]) ?? 0
    }
    return 0
  }
}
