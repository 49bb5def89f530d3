import LoadReporting

// The parts of a plan as they are written on the command line and in a scenario file. Each gives
// nil for text that it doesn't take; what it takes is said beside it.

extension LoadStage {
  /// What the text has to be like.
  public static let expectation =
    "rate=N for=TIME or rate=FROM..TO for=TIME, as in \"rate=100..500 for=30s\", with rates up to"
    + " 10000000 per second"

  /// Reads `rate=100 for=10s` or `rate=100..500 for=30s`.
  public init?(text: String) {
    var rates: (from: Double, to: Double)?
    var duration: Duration?
    for word in text.split(whereSeparator: \.isWhitespace) {
      if word.hasPrefix("rate="), rates == nil {
        rates = PlanText.range(word.dropFirst(5), PlanText.number)
        if rates == nil { return nil }
      } else if word.hasPrefix("for="), duration == nil {
        duration = PlanText.time(word.dropFirst(4))
        if duration == nil { return nil }
      } else {
        return nil
      }
    }
    guard let rates, let duration else { return nil }
    guard let stage = try? LoadStage(from: rates.from, to: rates.to, duration: duration) else {
      return nil
    }
    self = stage
  }

  /// Reads `100..500`, the rates at the ends of a ramp; nil also for rates that can't be.
  public static func ramp(text: String) -> (from: Double, to: Double)? {
    guard text.contains(".."), let rates = PlanText.range(text[...], PlanText.number),
      (try? LoadStage(from: rates.from, to: rates.to, duration: .seconds(1))) != nil
    else { return nil }
    return rates
  }

  /// Reads `100,200,400`, the rates of steps.
  public static func steps(text: String) -> [Double]? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let rates = words.compactMap { word in
      PlanText.number(word).flatMap { $0 > 0 && $0 <= highestRate ? $0 : nil }
    }
    return rates.count == words.count ? rates : nil
  }
}

extension ThinkTime {
  /// What the text has to be like.
  public static let expectation = "a time, or two as in 100ms..500ms, up to a day"

  /// Reads `100ms` or `100ms..500ms`.
  public init?(text: String) {
    guard let range = PlanText.range(text[...], PlanText.time), range.to <= .seconds(86_400),
      let time = try? ThinkTime(range.from, upTo: range.to)
    else { return nil }
    self = time
  }
}

/// Numbers and times, as they are written in plans.
enum PlanText {
  /// Plain decimal notation; nil: it isn't, or isn't finite.
  static func number(_ text: Substring) -> Double? {
    let allowed = text.utf8.allSatisfy { (48...57).contains($0) || ".eE+-".utf8.contains($0) }
    guard allowed, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// `5`, `0.5`, `500ms`, `5s` or `2m`; nil: it isn't one, or it is negative or longer than a week.
  static func time(_ text: Substring) -> Duration? {
    var (digits, factor) = (text, 1.0)
    for (suffix, value) in [("ms", 1e-3), ("s", 1), ("m", 60)] where text.hasSuffix(suffix) {
      (digits, factor) = (text.dropLast(suffix.count), value)
      break
    }
    guard let seconds = number(digits), seconds >= 0, seconds * factor <= 604_800 else {
      return nil
    }
    return .seconds(seconds * factor)
  }

  /// `A..B`, or `A` for both.
  static func range<Value>(
    _ text: Substring, _ read: (Substring) -> Value?
  ) -> (from: Value, to: Value)? {
    guard let place = text.firstRange(of: "..") else {
      return read(text).map { ($0, $0) }
    }
    guard let from = read(text[..<place.lowerBound]), let to = read(text[place.upperBound...])
    else { return nil }
    return (from, to)
  }
}

extension Substring {
  /// Where a short text stands first.
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      let rest = self[start...]
      if rest.hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
