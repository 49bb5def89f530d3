/// What a caller may say about one call.
public struct CallOptions: Sendable {
  /// How long the call may take from now to its answer; the rest of it is carried to the server.
  /// nil: the invoker's default. Zero or less: the call fails without being sent.
  public var timeout: Duration?

  /// Metadata for the server.
  public var metadata: Metadata

  /// True: the call waits, until its deadline, for a connection that can be made. False: it fails
  /// with UNAVAILABLE when an attempt to connect fails while it waits.
  public var waitsForReady: Bool

  /// Whether requests are compressed.
  public var compression: MessageCompression

  /// True: a call that is made while a server's call is handled may take longer than that one.
  /// False: it is over when that one's time is.
  public var ignoresInheritedDeadline: Bool

  /// Options for a call.
  public init(
    timeout: Duration? = nil, metadata: Metadata = Metadata(), waitsForReady: Bool = false,
    compression: MessageCompression = .automatic, ignoresInheritedDeadline: Bool = false
  ) {
    self.timeout = timeout
    self.metadata = metadata
    self.waitsForReady = waitsForReady
    self.compression = compression
    self.ignoresInheritedDeadline = ignoresInheritedDeadline
  }
}
