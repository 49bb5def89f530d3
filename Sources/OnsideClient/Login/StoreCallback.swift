/// What the store app's callback says: `SCHEME://onside/login?state=…&code=…`, or with
/// `error=refused`.
struct StoreCallback: Equatable {
  /// The login that it answers.
  let loginID: String
  let answer: StoreAppAnswer

  /// Reads a callback; nil: the URL isn't one of this scheme.
  init?(url: String, scheme: String) {
    let ends = Self.parts(url, by: "://")
    guard let ends, ends.0.lowercased() == scheme.lowercased() else { return nil }
    let (place, query) = Self.parts(ends.1, by: "?") ?? (ends.1, "")
    guard place == "onside/login" || place == "onside/login/" else { return nil }
    var items: [String: String] = [:]
    let text = query.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first
    for item in (text ?? "").split(separator: "&") {
      guard let (name, value) = Self.parts(String(item), by: "="),
        let plain = Self.decoded(value)
      else { continue }
      items[name] = plain
    }
    guard let state = items["state"], !state.isEmpty else { return nil }
    loginID = state
    if let code = items["code"], !code.isEmpty, items["error"] == nil {
      answer = .approved(loginID: state, code: code)
    } else {
      answer = .refused
    }
  }

  private static func parts(_ text: String, by mark: String) -> (String, String)? {
    var end = text.startIndex
    while end != text.endIndex {
      if text[end...].hasPrefix(mark) {
        return (String(text[..<end]), String(text[end...].dropFirst(mark.count)))
      }
      text.formIndex(after: &end)
    }
    return nil
  }

  /// The text without percent encoding; nil if that is broken.
  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let pair = String(rest.prefix(2)), pair.utf8.count == 2,
        let value = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
