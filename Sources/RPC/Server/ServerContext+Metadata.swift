import Synchronization

extension ServerContext {
  /// What the caller sent beside its request; decoded at the first use.
  public var metadata: Metadata {
    readShared { $0.metadata } ?? Metadata()
  }

  /// Gives the call metadata that is decoded already.
  package func setMetadata(_ metadata: Metadata) {
    guard !metadata.isEmpty else { return }
    writeShared { $0.metadata = metadata }
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
