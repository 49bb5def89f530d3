/// Frames that may still arrive for streams that are over.
///
/// When this side ends a stream, the peer may have frames under way: at most one for each byte of
/// credit it had, and a few without credit. That many are expected and free. Any beyond them count
/// against a rate budget, since a well-behaved peer never sends them.
struct LateFrames {
  /// Enough for 64 windows; a bound so that the sum can't run away.
  /// Frames without message bytes that can be under way when a stream ends: CREDIT, CANCEL, END.
  static let control = 8
  private static let most = 4 * 1024 * 1024
  private(set) var expected = 0

  /// A stream ended here while the peer could send `frames` more.
  mutating func expect(_ frames: Int) {
    expected = min(expected + min(frames, LateFrames.most), LateFrames.most)
  }

  /// Whether a late frame was expected.
  mutating func take() -> Bool {
    guard expected > 0 else { return false }
    expected -= 1
    return true
  }
}
