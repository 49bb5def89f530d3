import OnsideDomain
import RPCCore

extension Timestamp {
  /// The moment so much later, in whole milliseconds.
  func advanced(by duration: Duration) -> Timestamp {
    Timestamp(milliseconds: milliseconds + duration.saturatedNanoseconds / 1_000_000)
  }
}
