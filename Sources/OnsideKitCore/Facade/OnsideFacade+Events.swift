import OnsideClient

extension OnsideFacade {
  /// Takes note of something that the user did; it is sent later, with others.
  ///
  /// The SDK has such a function, whose Swift name isn't known; this is the JavaScript bridge's.
  ///
  /// - Parameters:
  ///   - name: a letter, then letters, digits and "_", at most 40 characters; not beginning with
  ///     "onside_".
  ///   - parameters: at most 25; texts are cut after 100 characters, lists after 25 values.
  /// - Throws: what is wrong with the event.
  public static func trackEvent(
    _ name: String, parameters: [String: OnsideEventValue] = [:]
  ) throws(OnsideEventError) {
    do throws(OnsideError) {
      try Runtime.shared.instance.track(name, parameters: parameters.mapValues(\.value))
    } catch {
      throw OnsideEventError(description: error.message)
    }
  }
}

/// The value of an event's parameter.
public indirect enum OnsideEventValue: Sendable, Hashable {
  case string(String)
  case number(Double)
  case boolean(Bool)

  /// None of the values is a list.
  case array([OnsideEventValue])

  var value: TrackedEvent.Value {
    switch self {
    case .string(let text): .text(text)
    case .number(let number): .number(number)
    case .boolean(let flag): .flag(flag)
    case .array(let values): .list(values.map(\.value))
    }
  }
}

extension OnsideEventValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: OnsideEventValue...) { self = .array(elements) }
}

/// What is wrong with an event, for people.
public struct OnsideEventError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, and the limit.
  public let description: String
}
