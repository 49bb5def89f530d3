import OnsideDomain
import OnsideStore

/// How a token is laid out before it becomes text. Numbers are big-endian.
///
///     header, in the clear and authenticated:
///       0  version, 1        1  key identifier, 4 bytes        5  nonce, 12 bytes
///     sealed:
///       0  session identifier, 16     16  profile identifier, 16     32  expiry, 8
///      40  app tag, 8                 48  kind of profile, 1         49  alpha-2 country, 2
///      51  storefront identifier, to the end
///     tag, 16 bytes
///
/// Another version can put more into the header, a binding to a client certificate for one.
enum TokenFormat {
  static let version: UInt8 = 1
  static let nonceOffset = 5
  static let nonceCount = 12
  static let headerCount = 17
  static let tagCount = 16
  static let fixedCount = 51
  static let maximumStorefrontID = 64

  /// The most bytes that a token has.
  static let maximumCount = headerCount + fixedCount + maximumStorefrontID + tagCount

  /// The fewest.
  static let minimumCount = headerCount + fixedCount + tagCount

  /// The most characters that a token's text has: 198.
  static let maximumTextCount = Base64URL.encodedCount(maximumCount)

  /// Writes the claims; answers how many bytes, or nil if the storefront's identifier is too long.
  static func write(_ claims: SessionClaims, to bytes: UnsafeMutableRawBufferPointer) -> Int? {
    func store(_ value: UInt64, at offset: Int) {
      bytes.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt64.self)
    }
    store(claims.sessionID.high, at: 0)
    store(claims.sessionID.low, at: 8)
    store(claims.profileID.high, at: 16)
    store(claims.profileID.low, at: 24)
    store(UInt64(bitPattern: claims.expiresAt.milliseconds), at: 32)
    store(claims.app.value, at: 40)
    bytes[48] = claims.profileKind.rawValue
    copy(claims.storefront.country.alpha2, to: bytes, at: 49, limit: 2)
    guard
      let count = copy(
        claims.storefront.id, to: bytes, at: fixedCount, limit: maximumStorefrontID)
    else { return nil }
    return fixedCount + count
  }

  @discardableResult
  private static func copy(
    _ text: String, to bytes: UnsafeMutableRawBufferPointer, at offset: Int, limit: Int
  ) -> Int? {
    var text = text
    return text.withUTF8 { text in
      guard text.count <= limit else { return nil }
      UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
        .copyMemory(from: UnsafeRawBufferPointer(text))
      return text.count
    }
  }

  /// Reads claims that were authenticated; nil if a release wrote them that knows more than this.
  static func read(_ bytes: UnsafeRawBufferPointer) -> SessionClaims? {
    guard bytes.count >= fixedCount else { return nil }
    func load(_ offset: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard let kind = ProfileKind(rawValue: bytes[48]),
      let country = CountryCode(alpha2: UnsafeRawBufferPointer(rebasing: bytes[49..<51]))
    else { return nil }
    let storefront = String(decoding: bytes[fixedCount...], as: UTF8.self)
    return SessionClaims(
      sessionID: SessionID(high: load(0), low: load(8)),
      profileID: ProfileID(high: load(16), low: load(24)), app: AppTag(value: load(40)),
      profileKind: kind, storefront: Storefront(id: storefront, country: country),
      expiresAt: Timestamp(milliseconds: Int64(bitPattern: load(32))))
  }
}
