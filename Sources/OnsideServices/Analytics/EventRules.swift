import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

/// What tracked events have to be like.
struct EventRules {
  static let maximumEvents = 100
  static let maximumNameLength = 40
  static let maximumParameters = 25
  static let maximumListLength = 25
  static let maximumTextLength = 100

  /// Of an event's parameters as JSON, in bytes: what the other limits leave open.
  static let maximumParameterBytes = 16_384

  /// Names that begin with it are the marketplace's.
  static let reservedPrefix = "onside_"

  /// When the events came.
  let now: Timestamp

  /// The events of a request, as they are stored.
  ///
  /// - Throws: `EVENT_INVALID` for the first that is against the rules; none is taken then.
  func records(
    of request: TrackEventsRequest, app: String
  ) throws(RPCError) -> [TrackedEventRecord] {
    guard InstallationIdentifier.isValid(request.installationID) else {
      throw RPCError(
        .eventInvalid, InstallationIdentifier.problem(request.installationID),
        ["field": "installation_id"])
    }
    guard (1...Self.maximumEvents).contains(request.events.count) else {
      throw RPCError(
        .eventInvalid,
        "\(request.events.count) events came in one call; send 1 to \(Self.maximumEvents)",
        ["field": "events", "limit": String(Self.maximumEvents)])
    }
    var records: [TrackedEventRecord] = []
    for (position, event) in request.events.enumerated() {
      do throws(EventProblem) {
        try Self.check(event)
        records.append(
          TrackedEventRecord(
            appID: app, installationID: request.installationID, eventID: event.eventID,
            name: event.name, parameters: try Self.json(event.parameters),
            occurredAt: Timestamp(milliseconds: event.occurredAtMs), receivedAt: now))
      } catch {
        throw RPCError(
          .eventInvalid, "event \(position) (\(Escaping.quoted(event.name))): \(error.reason)",
          error.values(position, event))
      }
    }
    return records
  }

  private static func check(_ event: Event) throws(EventProblem) {
    guard InstallationIdentifier.isValid(event.eventID) else {
      throw EventProblem(
        "event_id",
        "event_id \(Escaping.quoted(event.eventID)) isn't 1 to "
          + "\(InstallationIdentifier.maximumLength) visible ASCII characters; make one at random "
          + "for each event")
    }
    try check(name: event.name, "name")
    guard event.parameters.count <= maximumParameters else {
      throw EventProblem(
        "parameters",
        "it has \(event.parameters.count) parameters; send at most \(maximumParameters)")
    }
    guard event.occurredAtMs >= 0,
      Timestamp.writable.contains(Timestamp(milliseconds: event.occurredAtMs))
    else {
      throw EventProblem(
        "occurred_at_ms",
        "occurred_at_ms is \(event.occurredAtMs); send milliseconds since 1970 UTC")
    }
    var seen: Set<String> = []
    for parameter in event.parameters {
      try check(name: parameter.name, parameter.name)
      guard seen.insert(parameter.name).inserted else {
        throw EventProblem(
          parameter.name, "the parameter \(Escaping.quoted(parameter.name)) is there twice")
      }
      try check(parameter.value, of: parameter.name)
    }
  }

  private static func check(name: String, _ field: String) throws(EventProblem) {
    let letters = name.utf8.first.map(isLetter) ?? false
    guard letters, name.utf8.count <= maximumNameLength,
      name.utf8.allSatisfy({ isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_") })
    else {
      throw EventProblem(
        field,
        "the name \(Escaping.quoted(name)) isn't a letter and up to \(maximumNameLength - 1) more "
          + "letters, digits and \"_\"")
    }
    guard !name.hasPrefix(reservedPrefix) else {
      throw EventProblem(
        field, "the name \(name) is the marketplace's; don't begin with \"\(reservedPrefix)\"")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func check(_ value: EventValue?, of name: String) throws(EventProblem) {
    switch value?.value {
    case .list(let list):
      guard list.values.count <= maximumListLength else {
        throw EventProblem(
          name,
          "the list \(name) has \(list.values.count) values; send at most \(maximumListLength)")
      }
      for element in list.values {
        if case .list = element.value {
          throw EventProblem(name, "the list \(name) has a list in it; send plain values")
        }
        try check(plain: element.value, of: name)
      }
    case let plain: try check(plain: plain, of: name)
    }
  }

  private static func check(
    plain value: EventValue.Value?, of name: String
  ) throws(EventProblem) {
    switch value {
    case .text(let text) where text.unicodeScalars.count > maximumTextLength:
      throw EventProblem(
        name,
        "the text \(name) has \(text.unicodeScalars.count) characters (Unicode scalars); cut it to "
          + "\(maximumTextLength)")
    case .number(let number) where !number.isFinite:
      throw EventProblem(name, "the number \(name) is \(number); send a finite one")
    case nil: throw EventProblem(name, "\(name) has no value; send one, or leave it out")
    default: break
    }
  }

  private static func json(_ parameters: [EventParameter]) throws(EventProblem) -> String {
    var writer = EventJSON()
    writer.append(parameters)
    guard writer.text.utf8.count <= maximumParameterBytes else {
      throw EventProblem(
        "parameters",
        "its parameters have \(writer.text.utf8.count) bytes as JSON; send at most "
          + "\(maximumParameterBytes)")
    }
    return writer.text
  }
}

/// What is wrong with an event.
private struct EventProblem: Error {
  /// A field of the event, or the name of a parameter.
  let field: String
  let reason: String

  init(_ field: String, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  /// The same for programs.
  func values(_ position: Int, _ event: Event) -> [String: String] {
    [
      "position": String(position), "event_id": String(event.eventID.prefix(64)),
      "field": String(field.prefix(64)),
    ]
  }
}
