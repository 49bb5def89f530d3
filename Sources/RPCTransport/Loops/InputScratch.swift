/// The memory into which a loop's channels read, one after the other: an idle channel needs none of
/// its own.
final class InputScratch {
  /// Its size in bytes: what a handler leaves unconsumed, and room for a TLS record behind that.
  static let capacity = 128 * 1024

  private(set) var base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
  private var isReleased = false

  func release() {
    guard !isReleased else { return }
    isReleased = true
    base.deallocate()
  }

  deinit {
    release()
  }
}
