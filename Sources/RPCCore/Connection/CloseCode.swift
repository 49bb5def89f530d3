/// Why a side closed the connection: the code of a CLOSE frame. An open set.
public struct CloseCode: RawRepresentable, Sendable, Hashable {
  /// The number on the wire.
  public var rawValue: UInt32

  /// The code with that number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Nothing is wrong: the sender is done, or has drained.
  public static let normal = CloseCode(rawValue: 0)
  /// A frame that the protocol doesn't allow here.
  public static let protocolError = CloseCode(rawValue: 1)
  /// A frame or a header block above its limit.
  public static let tooLarge = CloseCode(rawValue: 2)
  /// Credit overdrawn, a zero increment, or a window above 2³¹ − 1.
  public static let flowControl = CloseCode(rawValue: 3)
  /// Too many frames of a kind that is bounded by a budget.
  public static let budgetExceeded = CloseCode(rawValue: 4)
  /// The peer kept silent for too long: no SETUP, no PONG, no progress.
  public static let timeout = CloseCode(rawValue: 5)
  /// The sender has a fault of its own.
  public static let internalError = CloseCode(rawValue: 6)
  /// The sender is shutting down and doesn't wait any longer.
  public static let goingAway = CloseCode(rawValue: 7)
}

extension CloseCode: CustomStringConvertible {
  /// The code's name, as in `Docs/protocol.md`, or its number.
  public var description: String {
    let names = [
      "NORMAL", "PROTOCOL_ERROR", "TOO_LARGE", "FLOW_CONTROL", "BUDGET_EXCEEDED", "TIMEOUT",
      "INTERNAL_ERROR", "GOING_AWAY",
    ]
    return rawValue < 8 ? names[Int(rawValue)] : "CODE_\(rawValue)"
  }
}

/// What the peer did that the protocol doesn't allow. The CLOSE frame that says so has been
/// written: flush it and close the connection.
public struct ProtocolViolation: Error, Sendable, Hashable {
  /// The rule that was broken. An open set: new rules may come.
  public struct Rule: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The rule's name in lower camel case: the label of a counter.
    public var rawValue: String

    /// The rule with that name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The rule's name.
    public var description: String { rawValue }
  }

  /// The rule.
  public var rule: Rule
  /// The code of the CLOSE.
  public var code: CloseCode
  /// The text of the CLOSE: what arrived and what was expected.
  public var text: String

  init(_ rule: Rule, _ code: CloseCode, _ text: String) {
    self.rule = rule
    self.code = code
    self.text = text
  }
}

extension ProtocolViolation.Rule {
  /// A frame longer than the announced limit.
  public static let frameTooLong = Self(rawValue: "frameTooLong")
  /// A stream id above 2³¹ − 1, even, falling, or never opened; or 0 where a stream is needed and
  /// the other way round.
  public static let streamID = Self(rawValue: "streamID")
  /// A frame type that the protocol doesn't define, or that only the other side may send.
  public static let frameType = Self(rawValue: "frameType")
  /// A flag that is unknown or out of place.
  public static let flags = Self(rawValue: "flags")
  /// No SETUP first, a second one, or one with values out of range.
  public static let setup = Self(rawValue: "setup")
  /// A frame that the stream's state doesn't allow.
  public static let streamState = Self(rawValue: "streamState")
  /// A payload that can't be decoded.
  public static let malformed = Self(rawValue: "malformed")
  /// Credit overdrawn, zero or overflowing.
  public static let credit = Self(rawValue: "credit")
  /// A compressed message although compression wasn't agreed on.
  public static let compression = Self(rawValue: "compression")
  /// A PONG that answers no PING.
  public static let pong = Self(rawValue: "pong")
  /// A DRAIN whose id rose.
  public static let drain = Self(rawValue: "drain")
  /// Too many CANCELs.
  public static let cancelBudget = Self(rawValue: "cancelBudget")
  /// Too many calls that ended by the peer's fault.
  public static let streamErrorBudget = Self(rawValue: "streamErrorBudget")
  /// Too many control frames.
  public static let controlBudget = Self(rawValue: "controlBudget")
  /// Too many frames of unknown extension types.
  public static let extensionBudget = Self(rawValue: "extensionBudget")
  /// Too many empty messages.
  public static let emptyMessageBudget = Self(rawValue: "emptyMessageBudget")
  /// Too many frames on streams that are over.
  public static let lateFrameBudget = Self(rawValue: "lateFrameBudget")
  /// Too many PINGs.
  public static let pingBudget = Self(rawValue: "pingBudget")
  /// Too many calls beyond the slots.
  public static let refusedCallBudget = Self(rawValue: "refusedCallBudget")
  /// The peer asks for replies and doesn't read them.
  public static let notReading = Self(rawValue: "notReading")
  /// No SETUP in time.
  public static let setupTimeout = Self(rawValue: "setupTimeout")
  /// A frame that began didn't come whole in time.
  public static let frameTooSlow = Self(rawValue: "frameTooSlow")
  /// A reply waits for credit, its call's deadline is over, and the peer takes nothing of it.
  public static let replyNotTaken = Self(rawValue: "replyNotTaken")
  /// No PONG in time.
  public static let keepAliveTimeout = Self(rawValue: "keepAliveTimeout")
}
