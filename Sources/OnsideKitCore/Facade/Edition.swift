/// Which of the two builds of the library an app uses.
public protocol OnsideEdition: Sendable {
  /// Whether the build has Apple Pay at all. Where it has, the device decides.
  static var hasApplePay: Bool { get }
}

/// `OnsideKit`.
public enum FullEdition: OnsideEdition {
  /// The presenter says whether this device can pay with Apple Pay.
  public static let hasApplePay = true
}

/// `OnsideKitLite`.
public enum LiteEdition: OnsideEdition {
  /// Never.
  public static let hasApplePay = false
}
