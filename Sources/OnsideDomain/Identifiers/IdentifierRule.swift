/// What an identifier from outside may look like.
public struct IdentifierRule: Hashable, Sendable {
  /// What it identifies, for errors: "product identifier".
  public let field: String

  /// The most bytes of UTF-8.
  public let maximumBytes: Int

  /// Whether an empty one is allowed.
  public let allowsEmpty: Bool

  /// Whether control characters (U+0000 to U+001F, U+007F to U+009F) are allowed.
  public let allowsControlCharacters: Bool

  public init(
    field: String, maximumBytes: Int, allowsEmpty: Bool = false,
    allowsControlCharacters: Bool = false
  ) {
    self.field = field
    self.maximumBytes = maximumBytes
    self.allowsEmpty = allowsEmpty
    self.allowsControlCharacters = allowsControlCharacters
  }

  /// An app, as it is registered with the service.
  public static let appID = IdentifierRule(field: "app identifier", maximumBytes: 255)

  /// An app's own identifier of its user.
  public static let externalUserID = IdentifierRule(
    field: "external user identifier", maximumBytes: 255)

  /// A product of an app.
  public static let productIdentifier = IdentifierRule(
    field: "product identifier", maximumBytes: 255)

  /// A storefront.
  public static let storefrontID = IdentifierRule(field: "storefront identifier", maximumBytes: 64)

  /// What makes a repeated purchase the same one.
  public static let idempotencyKey = IdentifierRule(field: "idempotency key", maximumBytes: 64)

  /// What the Apple Pay sheet returned, or a card as the processor's token.
  public static let paymentToken = IdentifierRule(field: "payment token", maximumBytes: 1_024)

  /// The app's own reference of a purchase. Any text comes back as it was given, so only its length
  /// is limited.
  public static let appAccountToken = IdentifierRule(
    field: "app account token", maximumBytes: 1_024, allowsEmpty: true,
    allowsControlCharacters: true)

  /// Checks a value; `position` is where it stood in a list, for the error.
  public func validate(_ value: String, position: Int? = nil) throws(InvalidIdentifier) {
    var value = value
    let problem = value.withUTF8 { bytes in
      self.invalid(UnsafeRawBufferPointer(bytes), position: position)
    }
    if let problem { throw problem }
  }

  /// Checks a value that may not even be UTF-8; nil: it is valid.
  public func invalid(
    _ bytes: UnsafeRawBufferPointer, position: Int? = nil
  ) -> InvalidIdentifier? {
    guard let problem = problem(bytes) else { return nil }
    return InvalidIdentifier(
      field: field, position: position, problem: problem, value: Escaping.quoted(bytes))
  }

  /// What is wrong with a value that may not even be UTF-8; nil: it is valid. Allocates nothing.
  public func problem(_ bytes: UnsafeRawBufferPointer) -> InvalidIdentifier.Problem? {
    if bytes.isEmpty { return allowsEmpty ? nil : .empty }
    if bytes.count > maximumBytes { return .tooLong(bytes: bytes.count, limit: maximumBytes) }
    var position = 0
    while position < bytes.count {
      guard let (scalar, length) = UTF8Scalars.first(bytes, at: position) else {
        return .invalidUTF8(offset: position)
      }
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      if isControl && !allowsControlCharacters {
        return .controlCharacter(scalar, offset: position)
      }
      position += length
    }
    return nil
  }
}
