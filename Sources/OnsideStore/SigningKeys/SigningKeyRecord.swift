import OnsideDomain

/// A key that histories are signed with. It is stored before its first use; its public half stays
/// for good.
public struct SigningKeyRecord: Hashable, Sendable {
  /// From 1; the highest is the one that signs.
  public let number: UInt32

  /// The private key (DER); empty once a later key signs.
  public let secret: [UInt8]

  /// The public key, an uncompressed point (SEC 1, 2.3.3).
  public let publicPoint: [UInt8]

  public let createdAt: Timestamp

  public init(number: UInt32, secret: [UInt8], publicPoint: [UInt8], createdAt: Timestamp) {
    self.number = number
    self.secret = secret
    self.publicPoint = publicPoint
    self.createdAt = createdAt
  }
}

extension SigningKeyRecord: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The key's number; never the secret.
  public var description: String { "signing key \(number)" }

  /// The key's number; never the secret.
  public var debugDescription: String { description }

  /// Shows the number and the time; never the secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["number": number, "createdAt": createdAt])
  }
}

/// The keys that histories are signed with.
public protocol SigningKeyStore: Sendable {
  /// All keys, by number.
  func signingKeys(
    options: RequestOptions, completion: @escaping StoreCompletion<[SigningKeyRecord]>)

  /// Stores a key unless its number is taken, and forgets the secrets of those with lower numbers;
  /// answers whether it was stored.
  func addSigningKey(
    _ key: SigningKeyRecord, options: RequestOptions, completion: @escaping StoreCompletion<Bool>)
}

extension Store {
  /// All keys that histories are signed with, by number.
  public func signingKeys(
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [SigningKeyRecord] {
    try await answer { signingKeys(options: options, completion: $0) }
  }

  /// Stores a key unless its number is taken.
  public func addSigningKey(
    _ key: SigningKeyRecord, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Bool {
    try await answer { addSigningKey(key, options: options, completion: $0) }
  }
}
