/// How the text of a value is read, and what it may be.
///
/// A kind's `read` gives nil for text that it refuses; the error then names the flag, the text and
/// the kind's `expectation`.
public struct ValueKind<Value: Sendable>: Sendable {
  /// What is accepted, as the end of "expected …": "a whole number from 1 to 64".
  public let expectation: String

  /// Stands for the value in the help: `N`.
  public let placeholder: String

  /// Reads a value; nil: it isn't one.
  public let read: @Sendable (String) -> Value?

  /// Writes a default into the help.
  public let show: @Sendable (Value) -> String

  /// A kind of one's own; see the properties.
  public init(
    expectation: String, placeholder: String, show: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.expectation = expectation
    self.placeholder = placeholder
    self.read = read
    self.show = show
  }
}

extension ValueKind where Value == String {
  /// Any text that isn't empty.
  public static func text(_ placeholder: String = "TEXT") -> ValueKind {
    ValueKind(expectation: "some text", placeholder: placeholder, show: { $0 }) { text in
      text.isEmpty ? nil : text
    }
  }

  /// Any text, also an empty one.
  public static func anyText(_ placeholder: String = "TEXT") -> ValueKind {
    ValueKind(expectation: "a text", placeholder: placeholder, show: { $0 }) { $0 }
  }

  /// The path of a file; `-` by itself often stands for a standard stream.
  public static var file: ValueKind {
    ValueKind(expectation: "a file's path", placeholder: "FILE", show: { $0 }) { text in
      text.isEmpty || text.utf8.contains(0) ? nil : text
    }
  }

  /// One of a few words.
  public static func choice(of words: [String]) -> ValueKind {
    ValueKind(
      expectation: "one of \(words.joined(separator: ", "))",
      placeholder: words.joined(separator: "|"), show: { $0 }
    ) { text in
      words.contains(text) ? text : nil
    }
  }

  /// `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`, checked and kept as it is written.
  ///
  /// - Parameter portZero: whether port 0 is accepted, which a listener reads as "any free one".
  public static func hostPort(portZero: Bool = false) -> ValueKind {
    let ports = portZero ? 0...65535 : 1...65535
    return ValueKind(
      expectation: "HOST:PORT, [IPV6]:PORT or unix:PATH with a port from "
        + "\(ports.lowerBound) to \(ports.upperBound)",
      placeholder: "HOST:PORT", show: { $0 }
    ) { text in
      isAddress(text, ports: ports) ? text : nil
    }
  }

  /// One address as ``hostPort(portZero:)`` reads it, or several with commas between them; kept as
  /// it is written.
  public static var hostPorts: ValueKind {
    ValueKind(
      expectation: "HOST:PORT, [IPV6]:PORT or unix:PATH, or several with commas between them",
      placeholder: "HOST:PORT,…", show: { $0 }
    ) { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      return parts.allSatisfy { isAddress(String($0), ports: 1...65535) } ? text : nil
    }
  }
}

extension ValueKind where Value == Int {
  /// A whole number in decimal digits.
  public static func integer(in range: ClosedRange<Int>, _ placeholder: String = "N") -> ValueKind {
    let expectation =
      range.upperBound == Int.max
      ? "a whole number from \(range.lowerBound) up"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return ValueKind(
      expectation: expectation, placeholder: placeholder, show: { String($0) }
    ) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == Double {
  /// A number; NaN and infinities are refused.
  public static func number(
    in range: ClosedRange<Double>, _ placeholder: String = "X"
  ) -> ValueKind {
    ValueKind(
      expectation: "a number from \(shown(range.lowerBound)) to \(shown(range.upperBound))",
      placeholder: placeholder, show: shown
    ) { text in
      decimal(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A length of time in seconds, as in `5`, `0.5`, `500ms`, `5s` or `2m`.
  public static func seconds(in range: ClosedRange<Double>) -> ValueKind {
    ValueKind(
      expectation: "seconds from \(shown(range.lowerBound)) to \(shown(range.upperBound))",
      placeholder: "SECONDS", show: shown
    ) { text in
      timeInSeconds(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

/// Without the ".0" that a whole number has otherwise.
@Sendable private func shown(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
}

/// Plain decimal notation only: `Double` itself reads "nan", "inf" and hexadecimal too.
private func decimal(_ text: String) -> Double? {
  let allowed = text.utf8.allSatisfy { byte in
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
  guard allowed, let number = Double(text), number.isFinite else { return nil }
  return number
}

private func timeInSeconds(_ text: String) -> Double? {
  for (suffix, factor) in [("ms", 1e-3), ("s", 1), ("m", 60)] where text.hasSuffix(suffix) {
    return decimal(String(text.dropLast(suffix.count))).map { $0 * factor }
  }
  return decimal(text)
}

private func isAddress(_ text: String, ports: ClosedRange<Int>) -> Bool {
  if text.hasPrefix("unix:") {
    return text.utf8.count > 5 && !text.utf8.contains(0)
  }
  guard let colon = text.lastIndex(of: ":") else { return false }
  let host = text[..<colon]
  let port = text[text.index(after: colon)...]
  guard !port.isEmpty, port.utf8.allSatisfy({ (48...57).contains($0) }),
    let number = Int(port), ports.contains(number)
  else { return false }
  if host.hasPrefix("[") {
    return host.hasSuffix("]") && host.utf8.count > 2
  }
  return !host.isEmpty && !host.contains(":") && !host.contains(where: \.isWhitespace)
}
