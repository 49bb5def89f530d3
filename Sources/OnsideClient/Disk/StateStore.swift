/// Keeps small named pieces of an app's state: queues, the session, what was learned once.
///
/// One process at a time has a store. A piece is written whole or not at all.
protocol StateStore: Sendable {
  /// The piece as it was saved last; nil: there is none, or nothing of it can be read.
  func load(_ name: String) async throws(OnsideError) -> [UInt8]?

  /// Saves a piece; it is durable when this returns. Of several revisions of one piece the highest
  /// stays.
  func save(_ name: String, revision: UInt64, _ bytes: [UInt8]) async throws(OnsideError)

  /// Gives the store up: others may have it from the answer on, and nothing is written any more.
  func close() async

  /// Forgets a piece.
  func remove(_ name: String) async throws(OnsideError)
}
