/// A session that is looked at again after the load.
struct SampledSession: Sendable, Equatable {
  /// How many are kept of each loop.
  static let limit = 64

  var token: String
  var profileID: String
  var user: UInt64
}
