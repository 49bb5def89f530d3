/// Why the store didn't do what it was asked for.
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of failure; more may come.
  public struct Code: Hashable, Sendable {
    /// A name for logs and counters.
    public let name: String

    public init(name: String) {
      self.name = name
    }

    /// The queue is full; nothing was done. Try again later.
    public static let overloaded = Code(name: "overloaded")

    /// The caller's deadline passed before the request was begun; nothing was done.
    public static let deadlineExceeded = Code(name: "deadlineExceeded")

    /// The disk failed, or an earlier request found that it did. A write that was under way may
    /// or may not have been kept; no write is taken until the server has been restarted.
    public static let failed = Code(name: "failed")

    /// Another program holds the database's write lock; nothing was done. Try again later.
    public static let busy = Code(name: "busy")

    /// The store was closed.
    public static let closed = Code(name: "closed")

    /// Another server has the store open.
    public static let locked = Code(name: "locked")

    /// The store was written by a newer release.
    public static let newerSchema = Code(name: "newerSchema")

    /// The file is something else than a store.
    public static let notAStore = Code(name: "notAStore")

    /// The file is damaged.
    public static let damaged = Code(name: "damaged")

    /// The file can't be opened or made.
    public static let cannotOpen = Code(name: "cannotOpen")

    /// This request failed by itself; those beside it in the same batch didn't.
    public static let requestFailed = Code(name: "requestFailed")
  }

  public let code: Code

  /// What happened, to what, and what to do about it. For operators and logs, not for clients.
  public let message: String

  /// What the database or the system said.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension StoreError: CustomStringConvertible {
  /// The message with its cause.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }
}
