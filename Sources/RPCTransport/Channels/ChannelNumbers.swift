import Synchronization

/// Gives each channel of the process a number.
enum ChannelNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
