import Glibc
import Synchronization

/// Random words of the kernel's generator, fetched many at a time: a system call for each
/// identifier would be a tenth of the work of storing a profile.
enum RandomPool {
  private struct State {
    var words: [UInt64] = []
  }

  /// 256 bytes, the most that one call gives.
  private static let count = 32
  private static let state = Mutex(State())

  /// Two new words. A word is given out once, and isn't kept.
  static func next() -> (UInt64, UInt64) {
    state.withLock { state in
      if state.words.count < 2 { state.words = fetch() }
      return (state.words.removeLast(), state.words.removeLast())
    }
  }

  private static func fetch() -> [UInt64] {
    [UInt64](unsafeUninitializedCapacity: count) { words, initialized in
      let code = getentropy(words.baseAddress, count * MemoryLayout<UInt64>.size)
      precondition(code == 0, "the kernel has no random bytes")
      initialized = count
    }
  }
}
