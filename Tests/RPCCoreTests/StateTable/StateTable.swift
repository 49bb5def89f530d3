import RPCCore

/// Every kind of frame in every state on both sides, and what comes of it: the table in
/// `Docs/state-table.md`.
enum StateTable {
  static let frames: [(name: String, frame: Frame)] = [
    ("SETUP", Frame(.setup)),
    ("SETUP, malformed", Frame(.setup, 0, [], [0xFF])),
    ("SETUP on a stream", Frame(.setup, 1)),
    ("CALL, half-closed", Frame(.call, 1, [.hasMessage, .halfClose], CallPayload.header + [1])),
    ("CALL without a message", Frame(.call, 1, [], CallPayload.header)),
    ("CALL, MORE", Frame(.call, 1, [.hasMessage, .more], CallPayload.header + [1])),
    ("CALL, malformed", Frame(.call, 1, [], [0xFF])),
    ("CALL on an even stream", Frame(.call, 2, [], CallPayload.header)),
    ("HEADERS", Frame(.headers, 1)),
    ("HEADERS, malformed", Frame(.headers, 1, [], [0xFF])),
    ("MESSAGE", Frame(.message, 1, .hasMessage, [1, 2])),
    ("MESSAGE, empty", Frame(.message, 1, .hasMessage)),
    ("MESSAGE, MORE", Frame(.message, 1, [.hasMessage, .more], [1])),
    ("MESSAGE, MORE, empty", Frame(.message, 1, [.hasMessage, .more])),
    ("MESSAGE, COMPRESSED", Frame(.message, 1, [.hasMessage, .compressed], [1])),
    ("MESSAGE, HALF_CLOSE", Frame(.message, 1, [.hasMessage, .halfClose], [1])),
    ("HALF_CLOSE alone", Frame(.message, 1, .halfClose)),
    (
      "MESSAGE above the credit",
      Frame(.message, 1, .hasMessage, [UInt8](repeating: 0, count: 65_537))
    ),
    ("MESSAGE on stream 0", Frame(.message, 0, .hasMessage, [1])),
    ("END OK", Frame(.end, 1, [], [0])),
    ("END OK with a message", Frame(.end, 1, .hasMessage, [0, 5])),
    ("END with an error", Frame(.end, 1, [], [2, 8, 13])),
    ("END, NOT_STARTED", Frame(.end, 1, .notStarted, [2, 8, 14])),
    ("END, malformed", Frame(.end, 1, [], [9])),
    ("CANCEL", Frame(.cancel, 1)),
    ("CANCEL, malformed", Frame(.cancel, 1, [], [1])),
    ("CREDIT", Frame(.credit, 1, [], [0, 0, 0, 1])),
    ("CREDIT, malformed", Frame(.credit, 1, [], [0, 0, 1])),
    ("CREDIT 0", Frame(.credit, 1, [], [0, 0, 0, 0])),
    ("CREDIT above 2³¹ − 1", Frame(.credit, 1, [], [0x7F, 0xFF, 0xFF, 0xFF])),
    ("CREDIT of the connection", Frame(.credit, 0, [], [0, 0, 0, 1])),
    ("PING", Frame(.ping, 0, [], [1, 2, 3, 4, 5, 6, 7, 8])),
    ("PING, malformed", Frame(.ping, 0, [], [1, 2, 3])),
    ("PONG of another PING", Frame(.pong, 0, [], [8, 7, 6, 5, 4, 3, 2, 1])),
    ("PONG of this side's PING", Frame(.pong, 0, [], [0, 0, 0, 0, 0, 0, 0, 7])),
    ("DRAIN, notice", Frame(.drain, 0, [], [8, 0xFF, 0xFF, 0xFF, 0xFF, 7])),
    ("DRAIN, last 1", Frame(.drain, 0, [], [8, 1])),
    ("DRAIN, malformed", Frame(.drain, 0, [], [0xFF])),
    ("CLOSE", Frame(.close)),
    ("CLOSE, malformed", Frame(.close, 0, [], [0xFF])),
    ("type 0", Frame(FrameType(rawValue: 0), 1)),
    ("type 12", Frame(FrameType(rawValue: 12), 1)),
    ("type 200", Frame(FrameType(rawValue: 200), 1)),
  ]

  /// A few words for what came of a frame.
  static func outcome(_ event: Event) -> String {
    switch event {
    case .nothing: "–"
    case .setup: "setup"
    case .call: "call"
    case .headers: "headers"
    case .message(_, _, let isLast): isLast ? "message, last" : "message"
    case .halfClosed: "half-closed"
    case .end: "end"
    case .cancelled: "cancelled"
    case .writable: "writable"
    case .pong: "pong"
    case .drain: "drain"
    case .closed: "closed"
    case .refused: "refused"
    case .failed: "failed"
    case .dropped: "dropped"
    case .violation(let rule): "**\(rule)**"
    }
  }

  /// The page.
  static var page: String {
    """
    # Every frame in every state

    Written by the tests (`StateTableTests`), which compare it with the code. Rows are frames as
    they arrive, for stream 1 where they have one; columns are the states of that stream on the
    receiving side. "–" means that the frame was dealt with inside; "dropped" that it came too late
    to matter. In bold: a violation, by the rule that was broken; CLOSE is sent and the connection
    ends.

    ## A server receives

    \(table(StreamSituation.server))

    ## A client receives

    \(table(StreamSituation.client))

    """
  }

  private static func table(_ situations: [StreamSituation]) -> String {
    var lines = [
      "| frame | " + situations.map(\.name).joined(separator: " | ") + " |",
      "|" + String(repeating: "---|", count: situations.count + 1),
    ]
    for (name, frame) in frames {
      let cells = situations.map { situation in
        var endpoint = situation.makeEndpoint()
        return outcome(endpoint.receive(frame))
      }
      lines.append("| \(name) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
