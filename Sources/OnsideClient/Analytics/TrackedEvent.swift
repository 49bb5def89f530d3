import OnsideDomain
import OnsideProto

/// Something that a user of the app did.
public struct TrackedEvent: Sendable, Hashable {
  /// What a parameter says.
  public indirect enum Value: Sendable, Hashable {
    /// Longer than 100 characters: it is cut.
    case text(String)

    /// Finite.
    case number(Double)

    /// Yes or no.
    case flag(Bool)

    /// At most 25, none of them a list; what is over that is left out.
    case list([Value])
  }

  /// The most characters of a name.
  public static let maximumNameLength = 40

  /// The most parameters of an event.
  public static let maximumParameters = 25

  /// The most values of a list.
  public static let maximumListCount = 25

  /// The most characters of a text.
  public static let maximumTextLength = 100

  /// What begins the names that are the marketplace's.
  public static let reservedPrefix = "onside_"

  /// A letter, then letters, digits and "_"; at most 40 characters.
  public let name: String

  /// By name; the names are as the event's.
  public let parameters: [String: Value]

  /// Milliseconds since 1970 UTC.
  public let occurredAtMilliseconds: Int64

  /// Made at random.
  let id: String

  /// An event with its texts and lists cut to their limits.
  ///
  /// - Throws: `refused` with `eventInvalid` for a name that isn't one or is reserved, more than 25
  ///   parameters, a number that isn't finite, or a list in a list.
  public init(
    _ name: String, parameters: [String: Value] = [:], occurredAtMilliseconds: Int64
  ) throws(OnsideError) {
    try Self.check(name, "event")
    guard parameters.count <= Self.maximumParameters else {
      throw Self.invalid(
        "event \(Self.shown(name)) has \(parameters.count) parameters, the limit is "
          + "\(Self.maximumParameters)")
    }
    var kept: [String: Value] = [:]
    for (key, value) in parameters {
      try Self.check(key, "parameter")
      kept[key] = try value.cut(key, depth: 0)
    }
    self.name = name
    self.parameters = kept
    self.occurredAtMilliseconds = occurredAtMilliseconds
    id = PurchaseRequest.randomKey()
  }

  private static func check(_ name: String, _ what: String) throws(OnsideError) {
    guard (1...maximumNameLength).contains(name.utf8.count),
      name.utf8.first.map(isLetter) == true,
      name.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
    else {
      throw invalid(
        "\(what) name \(shown(name)) isn't a letter followed by letters, digits and \"_\", at most "
          + "\(maximumNameLength) characters in all")
    }
    guard !name.hasPrefix(reservedPrefix) else {
      throw invalid(
        "\(what) name \(shown(name)) begins with \"\(reservedPrefix)\", which is the marketplace's")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func shown(_ name: String) -> String { "\"\(name.prefix(64))\"" }

  fileprivate static func invalid(_ message: String) -> OnsideError {
    OnsideError(.refused, message, reason: .eventInvalid)
  }
}

extension TrackedEvent.Value {
  fileprivate func cut(_ name: String, depth: Int) throws(OnsideError) -> TrackedEvent.Value {
    switch self {
    case .flag: return self
    case .text(let text):
      guard text.unicodeScalars.count > TrackedEvent.maximumTextLength else { return self }
      let scalars = text.unicodeScalars.prefix(TrackedEvent.maximumTextLength)
      return .text(String(String.UnicodeScalarView(scalars)))
    case .number(let number):
      guard number.isFinite else {
        throw TrackedEvent.invalid("parameter \"\(name)\" is \(number), which isn't finite")
      }
      return self
    case .list(let values):
      guard depth == 0 else {
        throw TrackedEvent.invalid("parameter \"\(name)\" has a list in a list; flatten it")
      }
      var kept: [TrackedEvent.Value] = []
      for value in values.prefix(TrackedEvent.maximumListCount) {
        kept.append(try value.cut(name, depth: 1))
      }
      return .list(kept)
    }
  }

  fileprivate var message: EventValue {
    switch self {
    case .text(let text): EventValue(value: .text(text))
    case .number(let number): EventValue(value: .number(number))
    case .flag(let flag): EventValue(value: .flag(flag))
    case .list(let values):
      EventValue(value: .list(EventValueList(values: values.map(\.message))))
    }
  }
}

extension TrackedEvent {
  var message: Event {
    Event(
      eventID: id, name: name,
      parameters: parameters.sorted { $0.key < $1.key }.map {
        EventParameter(name: $0.key, value: $0.value.message)
      },
      occurredAtMs: occurredAtMilliseconds)
  }
}
