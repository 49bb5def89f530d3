/// What a server says with an error about sending the call again: the trailing metadata
/// `rpc-retry-pushback-ms`.
public enum RetryPushback: Sendable, Hashable {
  /// Not before this time has passed; it replaces the client's own back-off.
  case after(Duration)

  /// Not at all.
  case never

  /// The key of the metadata entry.
  static let key: StaticString = "rpc-retry-pushback-ms"

  /// The longest delay that a server can ask for: a day. Longer ones are cut to it.
  static let longest = Duration.seconds(86_400)

  /// Reads the entry's value: milliseconds in decimal digits. Anything else, a negative number too,
  /// means never.
  init(parsing text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      self = .never
      return
    }
    let milliseconds = Int64(text) ?? .max
    let seconds = RetryPushback.longest.components.seconds
    self = .after(.milliseconds(min(milliseconds, seconds * 1000)))
  }

  /// The entry's value.
  var text: String {
    switch self {
    case .never: return "-1"
    case .after(let delay):
      let delay = min(max(.zero, delay), RetryPushback.longest)
      // At most a day: no step can overflow.
      let (seconds, attoseconds) = delay.components
      return String(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
  }
}
