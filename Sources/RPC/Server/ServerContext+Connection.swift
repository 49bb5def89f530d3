extension ServerContext {
  /// Cuts the connection that the call came in on, as a network that fails does: nothing more is
  /// sent, neither what waits to be sent nor a reason, and all of its calls are lost. For tests of
  /// clients.
  ///
  /// The handler is cancelled, and what it answers is dropped. A call in process has no connection:
  /// it alone ends, with UNAVAILABLE.
  public func cutConnection() {
    if isHere { return responder.cutConnection(of: self) }
    post { self.responder.cutConnection(of: self) }
  }
}
