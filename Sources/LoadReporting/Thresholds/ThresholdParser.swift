/// Why a text isn't a threshold, and where.
public struct ThresholdError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The whole text.
  public let text: String

  /// Counted in characters from 1.
  public let column: Int

  /// What is wrong there, and what is permitted.
  public let reason: String

  public var description: String { "'\(text)', column \(column): \(reason)" }
}

extension Threshold {
  /// Reads `FIGURE COMPARISON VALUE`, with or without spaces between them.
  ///
  /// - Throws: ``ThresholdError`` with the place of the first mistake.
  public init(parsing text: String) throws(ThresholdError) {
    var parser = ThresholdParser(text: text)
    self = try parser.threshold()
  }
}

private struct ThresholdParser {
  let text: String
  let characters: [Character]
  var place = 0

  init(text: String) {
    self.text = text
    characters = Array(text)
  }

  mutating func threshold() throws(ThresholdError) -> Threshold {
    skipSpace()
    let start = place
    let name = take { !" <>=".contains($0) }
    guard let figure = ThresholdFigure(name) else {
      let found = name.isEmpty ? "no figure" : "\(name) is no figure"
      throw error(at: start, "\(found); expected \(ThresholdFigure.expectation)")
    }
    skipSpace()
    let comparison = try self.comparison()
    skipSpace()
    let (limit, isShare) = try self.limit(of: figure)
    return Threshold(
      text: text, figure: figure, comparison: comparison, limit: limit, isShare: isShare)
  }

  private mutating func comparison() throws(ThresholdError) -> Threshold.Comparison {
    let start = place
    let sign = take { "<>=".contains($0) }
    guard let comparison = Threshold.Comparison(rawValue: sign) else {
      let found = sign.isEmpty ? "no comparison" : "\(sign) is no comparison"
      throw error(at: start, "\(found); expected >, >=, < or <=")
    }
    return comparison
  }

  private mutating func limit(
    of figure: ThresholdFigure
  ) throws(ThresholdError) -> (limit: Double, isShare: Bool) {
    let start = place
    let isShare = figure.isCount && characters.last(where: { $0 != " " }) == "%"
    let unit = figure.unit(asShare: isShare)
    let expectation =
      unit.expectation + (figure.isCount && !isShare ? ", or a share as in 0.1%" : "")
    if place < characters.count, characters[place] == "-" {
      throw error(at: start, "a negative value is never crossed as meant; expected \(expectation)")
    }
    let digits = take { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = plainNumber(digits) else {
      let rest = String(characters[start...].prefix(20))
      let found = rest.isEmpty ? "no value" : "\(rest) is no value"
      throw error(at: start, "\(found); expected \(expectation)")
    }
    skipSpace()
    let suffixPlace = place
    let suffix = take { $0 != " " }
    guard let factor = unit.suffixes.first(where: { $0.name == suffix })?.factor else {
      let found = suffix.isEmpty ? "no unit" : "\(suffix) is no unit of it"
      throw error(at: suffixPlace, "\(found); expected \(expectation)")
    }
    skipSpace()
    guard place == characters.count else { throw error(at: place, "nothing may stand here") }
    if unit == .share, number > 100 {
      throw error(at: start, "\(digits)% is out of range; a share is from 0% to 100%")
    }
    return (number * factor, isShare)
  }

  private mutating func take(while belongs: (Character) -> Bool) -> String {
    let start = place
    while place < characters.count, belongs(characters[place]) { place += 1 }
    return String(characters[start..<place])
  }

  private mutating func skipSpace() {
    while place < characters.count, characters[place] == " " { place += 1 }
  }

  private func error(at place: Int, _ reason: String) -> ThresholdError {
    ThresholdError(text: text, column: place + 1, reason: reason)
  }
}
