/// How a channel ended.
public struct ChannelEnd: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of ends. More may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A short name, as used for counters.
    public var rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The peer said that it sends no more (TLS close_notify).
    public static let endOfStream = Code(rawValue: "end-of-stream")
    /// The peer's bytes ended without a close_notify: whatever was under way may be cut.
    public static let truncated = Code(rawValue: "truncated")
    /// The connection was reset, or the network gave up on it.
    public static let reset = Code(rawValue: "reset")
    /// TLS failed: a bad record, an alert, a certificate that was refused.
    public static let tls = Code(rawValue: "tls")
    /// The peer offered no application protocol that this side has.
    public static let noApplicationProtocol = Code(rawValue: "no-application-protocol")
    /// The handshake wasn't done in time.
    public static let handshakeTimeout = Code(rawValue: "handshake-timeout")
    /// The peer took no output for too long.
    public static let writeStalled = Code(rawValue: "write-stalled")
    /// More output was queued than allowed.
    public static let outputLimit = Code(rawValue: "output-limit")
    /// The handler left more input unconsumed than allowed.
    public static let inputLimit = Code(rawValue: "input-limit")
    /// The peer sent too many TLS messages that carry no data.
    public static let idleRecords = Code(rawValue: "idle-records")
    /// This side closed it, after sending what was queued.
    public static let closed = Code(rawValue: "closed")
    /// This side dropped it at once.
    public static let aborted = Code(rawValue: "aborted")
  }

  /// What kind of end it was.
  public var code: Code
  /// Details for people, in one line.
  public var text: String
  /// How many received bytes the handler had left unconsumed: above 0, a frame was cut.
  public var unconsumedBytes: Int
  /// OpenSSL's result for the peer's certificate, if that was the reason; otherwise 0.
  var verification: Int

  /// An end.
  public init(_ code: Code, _ text: String, unconsumedBytes: Int = 0) {
    self.code = code
    self.text = text
    self.unconsumedBytes = unconsumedBytes
    verification = 0
  }

  /// The text.
  public var description: String { text }
}
