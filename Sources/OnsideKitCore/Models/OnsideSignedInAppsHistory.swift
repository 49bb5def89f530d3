#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The user's purchases in this app, signed by the service for the app's backend.
public struct OnsideSignedInAppsHistory: Sendable {
  /// A compact JWS (RFC 7515).
  public var data: Data

  /// The same as text; nil if it isn't UTF-8.
  public var string: String? { String(data: data, encoding: .utf8) }
}

/// Where an installation of the app came from.
public struct OnsideAttributionMetadata: Sendable {
  /// Nil: not known, or from nowhere in particular.
  public var refererUrl: URL?
}
