import Synchronization

/// A sealer for each event loop, and one for whoever isn't on a loop.
///
/// Unchecked: a loop's sealer is used on that loop only, the other one under a lock.
public final class TokenSealers: @unchecked Sendable {
  private let perLoop: [TokenSealer]
  private let shared: TokenSealer
  private let lock = Mutex(())

  /// Sealers for loops 0 to `loops` − 1.
  public init(loops: Int, keyring: TokenKeyring, revocations: RevocationSet) {
    perLoop = (0..<max(loops, 0)).map { _ in
      TokenSealer(keyring: keyring, revocations: revocations)
    }
    shared = TokenSealer(keyring: keyring, revocations: revocations)
  }

  /// Calls `body` with the sealer of the loop that the caller is on; nil: it is on none. `body`
  /// must not keep the sealer.
  @inline(__always)
  public func withSealer<Result, Failure: Error>(
    ofLoop loop: Int?, _ body: (TokenSealer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let loop, perLoop.indices.contains(loop) { return try body(perLoop[loop]) }
    return try lock.withLock { _ throws(Failure) -> Result in try body(shared) }
  }
}
