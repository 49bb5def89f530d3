/// A code that is on its way to a phone.
public struct PhoneChallenge: Sendable, Hashable {
  /// Names the code when a session is opened with it.
  public var id: String

  /// When the code is of no use any more, milliseconds since 1970 UTC.
  public var expiresAtMilliseconds: Int64

  /// When another code may be asked for, milliseconds since 1970 UTC.
  public var resendAfterMilliseconds: Int64

  /// A challenge, as the service gave it.
  public init(id: String, expiresAtMilliseconds: Int64, resendAfterMilliseconds: Int64) {
    self.id = id
    self.expiresAtMilliseconds = expiresAtMilliseconds
    self.resendAfterMilliseconds = resendAfterMilliseconds
  }
}

/// A login through the store app that was begun.
public struct StoreLoginStart: Sendable, Hashable {
  /// Names the login; it is the `state` of the URL and of the callback.
  public var id: String

  /// What the app opens.
  public var url: String

  /// When the login is of no use any more, milliseconds since 1970 UTC.
  public var expiresAtMilliseconds: Int64

  /// A login, as the service gave it.
  public init(id: String, url: String, expiresAtMilliseconds: Int64) {
    self.id = id
    self.url = url
    self.expiresAtMilliseconds = expiresAtMilliseconds
  }
}
