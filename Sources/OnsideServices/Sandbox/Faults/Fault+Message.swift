import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

extension Fault {
  /// The longest delay, in milliseconds.
  static let maximumDelay: UInt32 = 600_000

  /// The longest text of a status, in bytes of UTF-8.
  static let maximumMessageBytes = 1_024

  /// The rule of a request.
  ///
  /// - Throws: `FAULT_INVALID`.
  init(_ message: FaultRule) throws(RPCError) {
    match = try Match(message.match ?? FaultMatch())
    skip = UInt64(message.skip)
    count = UInt64(message.count)
    guard message.delayMs <= Self.maximumDelay else {
      throw .faultInvalid(
        "delay_ms",
        "delay_ms is \(message.delayMs); send at most \(Self.maximumDelay), which is ten minutes")
    }
    delayMilliseconds = message.delayMs
    effect = try message.effect.map { effect throws(RPCError) in try Effect(effect) }
    guard effect != nil || delayMilliseconds > 0 else {
      throw .faultInvalid(
        "effect", "the rule does nothing; give it a status, drop_reply, cut_connection or delay_ms")
    }
  }

  /// The rule as calls answer it.
  var message: FaultRule {
    FaultRule(
      faultID: id, match: match.message, skip: UInt32(clamping: skip),
      count: UInt32(clamping: count), delayMs: delayMilliseconds,
      effect: effect?.message, matched: matched, fired: fired)
  }
}

extension Fault.Match {
  fileprivate init(_ message: FaultMatch) throws(RPCError) {
    if !message.method.isEmpty { method = try FaultMethods.path(message.method) }
    if !message.appID.isEmpty {
      try Self.check(message.appID, .appID, "match.app_id")
      appID = message.appID
    }
    if !message.profileID.isEmpty {
      guard let id = ProfileID(message.profileID) else {
        throw .faultInvalid(
          "match.profile_id",
          "match.profile_id \(Escaping.quoted(message.profileID)) isn't a profile's identifier; "
            + "CreateSession and GetProfile answer it")
      }
      profileID = id
    }
    if !message.externalUserID.isEmpty {
      try Self.check(message.externalUserID, .externalUserID, "match.external_user_id")
      externalUserID = message.externalUserID
    }
  }

  private static func check(
    _ text: String, _ rule: IdentifierRule, _ field: String
  ) throws(RPCError) {
    do throws(InvalidIdentifier) {
      try rule.validate(text)
    } catch {
      throw .faultInvalid(field, "\(field): \(error)")
    }
  }

  fileprivate var message: FaultMatch {
    FaultMatch(
      method: method ?? "", appID: appID ?? "", profileID: profileID?.description ?? "",
      externalUserID: externalUserID ?? "")
  }
}

extension Fault.Effect {
  fileprivate init(_ message: FaultRule.Effect) throws(RPCError) {
    switch message {
    case .status(let status): self = .answer(try Fault.Answer(status))
    case .dropReply(true): self = .dropReply
    case .cutConnection(true): self = .cutConnection
    case .dropReply, .cutConnection:
      throw .faultInvalid(
        "effect", "drop_reply and cut_connection are true or absent; leave the effect out for none")
    }
  }

  fileprivate var message: FaultRule.Effect {
    switch self {
    case .answer(let answer):
      .status(
        FaultStatus(code: answer.code, message: answer.message, reason: answer.reason))
    case .dropReply: .dropReply(true)
    case .cutConnection: .cutConnection(true)
    }
  }
}

extension Fault.Answer {
  fileprivate init(_ status: FaultStatus) throws(RPCError) {
    guard (1...16).contains(status.code) else {
      throw .faultInvalid(
        "status.code",
        "status.code is \(status.code); send a code of gRPC that is an error, 1 to 16")
    }
    guard status.message.utf8.count <= Fault.maximumMessageBytes else {
      throw .faultInvalid(
        "status.message",
        "status.message has \(status.message.utf8.count) bytes; send at most "
          + "\(Fault.maximumMessageBytes)")
    }
    guard Self.isReason(status.reason) else {
      throw .faultInvalid(
        "status.reason",
        "status.reason \(Escaping.quoted(status.reason)) isn't one; send at most 63 of A to Z, 0 "
          + "to 9 and \"_\", such as SESSION_EXPIRED, or none")
    }
    code = status.code
    message = status.message
    reason = status.reason
  }

  private static func isReason(_ text: String) -> Bool {
    text.utf8.count <= 63
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
      }
  }
}

extension RPCError {
  /// Refuses a fault rule for one of its fields.
  static func faultInvalid(_ field: String, _ message: String) -> RPCError {
    RPCError(.faultInvalid, message, ["field": field])
  }
}
