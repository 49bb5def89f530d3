import ProtobufWire
import RPCCore
import Synchronization

extension ServerContext {
  /// What the caller sent beside its request; decoded at the first use.
  public var metadata: Metadata {
    if let known = readShared({ $0.metadata }) { return known }
    guard !borrowedMetadata.isEmpty else { return Metadata() }
    return decodeBorrowed()
  }

  /// Gives the call metadata that is decoded already.
  package func setMetadata(_ metadata: Metadata) {
    guard !metadata.isEmpty else { return }
    writeShared { $0.metadata = metadata }
  }

  /// How many attempts at this call the client says it made before: 0 for the first one. What it
  /// only sent again because no server had started it isn't counted.
  public var previousAttempts: Int {
    if let known = readShared({ $0.metadata == nil ? nil : $0.previousAttempts }) { return known }
    guard !borrowedMetadata.isEmpty else { return 0 }
    _ = decodeBorrowed()
    return readShared { $0.previousAttempts } ?? 0
  }

  private func decodeBorrowed() -> Metadata {
    // The connection has checked the block, so that decoding it can't fail.
    let block = borrowedMetadata.bytes
    let decoded = (try? Metadata(callHeader: block)) ?? Metadata()
    let attempts = (try? Metadata.previousAttempts(callHeader: block)) ?? 0
    writeShared {
      $0.metadata = decoded
      $0.previousAttempts = attempts
    }
    return decoded
  }

  /// Decodes what is borrowed, for the time when it is gone.
  package func keepMetadata() {
    guard !borrowedMetadata.isEmpty else { return }
    if readShared({ $0.metadata }) == nil { _ = decodeBorrowed() }
    borrowedMetadata = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Goes to the caller before the response. Written before the handler returns, or not at all.
  public var initialMetadata: Metadata {
    get { readShared { $0.initialMetadata } ?? Metadata() }
    set { writeShared { $0.initialMetadata = newValue } }
  }

  /// Goes to the caller with the status. Written before the handler returns, or not at all.
  public var trailingMetadata: Metadata {
    get { readShared { $0.trailingMetadata } ?? Metadata() }
    set { writeShared { $0.trailingMetadata = newValue } }
  }

  /// Whether the response is compressed. Written before the handler returns, or not at all.
  public var responseCompression: MessageCompression {
    get { readShared { $0.responseCompression } ?? .automatic }
    set { writeShared { $0.responseCompression = newValue } }
  }

  /// True when the handler may have written metadata for the caller.
  package var hasOutgoingMetadata: Bool { usesShared.load(ordering: .acquiring) }

  func readShared<Value>(_ read: (borrowing Shared) -> Value?) -> Value? {
    guard usesShared.load(ordering: .acquiring) else { return nil }
    return shared.withLock { read($0) }
  }

  func writeShared(_ change: (inout Shared) -> Void) {
    usesShared.store(true, ordering: .releasing)
    shared.withLock { change(&$0) }
  }
}
