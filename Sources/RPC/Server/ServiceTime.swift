/// How a caller finds out how long the server worked on its call.
///
/// A call whose metadata has ``requestKey`` gets, in the trailing metadata of its answer, right or
/// wrong, the whole microseconds from the receipt of its CALL frame to the moment in which its END
/// frame is written, by the server's monotonic clock. What a call waits for in the network, and in
/// queues of either side's system, isn't in it. Calls without metadata pay nothing for it, the
/// others one look through theirs.
public enum ServiceTime {
  /// In the metadata of a call that asks, with the value `1`.
  public static let requestKey = "onside-want-service-time"

  /// In the trailing metadata of its answer: digits.
  public static let trailerKey = "onside-service-us"
}

extension ServerContext {
  /// Notes when the call came, if it asks how long it takes. While its metadata is borrowed.
  package func noteReceipt() {
    let asks = withMetadataValue(ServiceTime.requestKey) { $0 != nil }
    // As something that the answer says beside its response: calls without such aren't looked at.
    if asks { writeShared { $0.received = .now } }
  }

  /// The handler's trailing metadata, with the time that the call took if it asked for it.
  package var finalMetadata: Metadata {
    var metadata = trailingMetadata
    guard let received = readShared({ $0.received }) else { return metadata }
    let nanoseconds = max(0, MonotonicInstant.now.nanoseconds - received.nanoseconds)
    // A handler that has filled all places keeps them.
    try? metadata.add(ServiceTime.trailerKey, String(nanoseconds / 1_000))
    return metadata
  }
}
