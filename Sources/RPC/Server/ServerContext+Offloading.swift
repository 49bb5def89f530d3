extension ServerContext {
  /// Takes over what is known of the call from the context that it came in on.
  package func adopt(_ outer: ServerContext) {
    principal = outer.principal
    inbound = outer.inbound
    outbound = outer.outbound
    isRequestCompressed = outer.isRequestCompressed
    setMetadata(outer.metadata)
    let attempts = outer.previousAttempts
    if attempts > 0 { writeShared { $0.previousAttempts = attempts } }
  }

  /// Takes over what the handler has said beside its response.
  package func takeAnswerMetadata(of inner: ServerContext) {
    guard inner.hasOutgoingMetadata else { return }
    initialMetadata = inner.initialMetadata
    trailingMetadata = inner.trailingMetadata
    responseCompression = inner.responseCompression
  }
}
