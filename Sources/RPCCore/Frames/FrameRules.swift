/// Which flags may stand on a frame of a type, and which side sends it.
enum FrameRules {
  /// The flags allowed on a frame that this side receives, without regard to the others on it.
  static func allowedFlags(_ type: FrameType, receiver: ConnectionRole) -> FrameFlags {
    switch type {
    case .call: [.more, .compressed, .halfClose, .hasMessage]
    case .message:
      receiver == .server
        ? [.more, .compressed, .halfClose, .hasMessage] : [.more, .compressed, .hasMessage]
    case .end: [.compressed, .hasMessage, .notStarted]
    default: []
    }
  }

  /// Whether the other side may send this type at all.
  static func isExpected(_ type: FrameType, receiver: ConnectionRole) -> Bool {
    switch type {
    case .call, .cancel: receiver == .server
    case .headers, .end, .drain: receiver == .client
    default: true
    }
  }

  /// Whether the type is about the connection: its stream id must be 0. CREDIT is about either.
  static func isAboutConnection(_ type: FrameType) -> Bool {
    switch type {
    case .setup, .ping, .pong, .drain, .close: true
    default: false
    }
  }

  /// Whether some of the flags can't stand together: `conflict` says why.
  static func hasConflict(_ flags: FrameFlags) -> Bool {
    if flags.contains(.hasMessage) {
      return flags.contains(.notStarted) || flags.isSuperset(of: [.more, .halfClose])
    }
    return !flags.isDisjoint(with: [.more, .compressed])
  }

  /// Why the flags can't stand together; nil when they can.
  static func conflict(_ flags: FrameFlags) -> String? {
    if flags.contains(.more), !flags.contains(.hasMessage) { return "MORE without HAS_MESSAGE" }
    if flags.contains(.compressed), !flags.contains(.hasMessage) {
      return "COMPRESSED without HAS_MESSAGE"
    }
    if flags.contains(.more), flags.contains(.halfClose) { return "MORE with HALF_CLOSE" }
    if flags.contains(.notStarted), flags.contains(.hasMessage) {
      return "NOT_STARTED with HAS_MESSAGE"
    }
    return nil
  }
}
