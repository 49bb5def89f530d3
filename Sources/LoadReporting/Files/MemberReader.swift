/// Why a JSON text isn't a report that this program can read.
public struct ReportFormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where: `calls.failures[2].count`.
  public let member: String

  /// What is wrong with it, and what was expected.
  public let reason: String

  public var description: String { "\(member): \(reason)" }
}

/// Reads a member of a JSON text, and knows where it stands.
struct MemberReader {
  /// Nil: it isn't there.
  let value: JSONValue?
  let path: String

  /// The member of an object.
  subscript(name: String) -> MemberReader {
    MemberReader(value: value?[name], path: path.isEmpty ? name : "\(path).\(name)")
  }

  /// What it has, if it is there and isn't null.
  func ifPresent<Result>(
    _ read: (MemberReader) throws(ReportFormatError) -> Result
  ) throws(ReportFormatError) -> Result? {
    value == nil || value == .null ? nil : try read(self)
  }

  /// The elements of an array, each read.
  func list<Element>(
    _ read: (MemberReader) throws(ReportFormatError) -> Element
  ) throws(ReportFormatError) -> [Element] {
    guard let elements = value?.elements else { throw wrong("an array") }
    var list: [Element] = []
    for (index, element) in elements.enumerated() {
      list.append(try read(MemberReader(value: element, path: "\(path)[\(index)]")))
    }
    return list
  }

  func object() throws(ReportFormatError) -> [JSONValue.Member] {
    guard case .object(let members)? = value else { throw wrong("an object") }
    return members
  }

  func string() throws(ReportFormatError) -> String {
    guard let string = value?.string else { throw wrong("a string") }
    return string
  }

  func boolean() throws(ReportFormatError) -> Bool {
    guard case .boolean(let flag)? = value else { throw wrong("true or false") }
    return flag
  }

  /// One of the words that an enumeration has.
  func word<Word: RawRepresentable & CaseIterable>() throws(ReportFormatError) -> Word
  where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    guard let text = value?.string, let word = Word(rawValue: text) else {
      throw wrong("one of \(words)")
    }
    return word
  }

  /// A whole number; counts aren't negative.
  func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self, from lowest: Value = 0
  ) throws(ReportFormatError) -> Value {
    guard case .number(let text)? = value, let number = Value(text), number >= lowest else {
      throw wrong("a whole number from \(lowest) up")
    }
    return number
  }

  func decimal() throws(ReportFormatError) -> Double {
    guard let number = value?.double, number.isFinite else { throw wrong("a number") }
    return number
  }

  /// A number that was written as the `scale`-th part of a count.
  func scaled(_ scale: Double) throws(ReportFormatError) -> UInt64 {
    let number = (try decimal() * scale).rounded()
    guard let count = UInt64(exactly: number) else { throw wrong("a number from 0 up") }
    return count
  }

  /// What this is instead of what it should be.
  func wrong(_ expected: String) -> ReportFormatError {
    let found = value.map { "expected \(expected), not \($0.compact().prefix(60))" }
    return failure(found ?? "missing; expected \(expected)")
  }

  func failure(_ reason: String) -> ReportFormatError {
    ReportFormatError(member: path.isEmpty ? "the report" : path, reason: reason)
  }
}
