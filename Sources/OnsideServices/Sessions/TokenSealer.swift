import COpenSSL
import OnsideDomain
import OnsideStore

/// Seals and opens session tokens on one event loop: its cipher contexts have their keys already.
///
/// Not safe to use from two threads at once; `TokenSealers` gives each loop its own.
public final class TokenSealer {
  /// A key with its contexts. Nothing in it is counted, so that reading it costs nothing.
  private struct Key {
    let id: UInt32
    let sealsFrom: Timestamp
    let opensUntil: Timestamp
    let sealing: OpaquePointer?
    let opening: OpaquePointer?

    init(_ record: TokenKeyRecord) {
      id = record.id
      sealsFrom = record.sealsFrom
      opensUntil = record.opensUntil
      sealing = copenssl_gcm_new(record.secret, true)
      opening = copenssl_gcm_new(record.secret, false)
    }
  }

  private let keyring: TokenKeyring
  private let revocations: RevocationSet
  private let base64 = Base64URL()

  // One loop uses them: a check of each access at run time would cost a tenth of a token.
  @exclusivity(unchecked) private var random = RandomBlock()
  @exclusivity(unchecked) private var nonces = NonceSequence()
  @exclusivity(unchecked) private var keys: [Key] = []
  @exclusivity(unchecked) private var generation: UInt64 = 0

  private let scratch: UnsafeMutableRawBufferPointer
  private let plain: UnsafeMutableRawBufferPointer

  public init(keyring: TokenKeyring, revocations: RevocationSet) {
    self.keyring = keyring
    self.revocations = revocations
    scratch = .allocate(byteCount: TokenFormat.maximumCount, alignment: 16)
    plain = .allocate(byteCount: TokenFormat.maximumCount, alignment: 16)
  }

  deinit {
    freeContexts()
    random.deallocate()
    plain.withMemoryRebound(to: UInt8.self) { copenssl_cleanse($0.baseAddress, $0.count) }
    plain.deallocate()
    scratch.deallocate()
  }

  /// The most ASCII characters that a token has.
  public static var maximumTextCount: Int { TokenFormat.maximumTextCount }

  /// A new identifier of 128 random bits; nil if the system's generator fails.
  public func makeSessionID() -> SessionID? {
    var words: (UInt64, UInt64) = (0, 0)
    let succeeded = withUnsafeMutableBytes(of: &words) { bytes in
      bytes.baseAddress.map { random.take(16, to: $0) } ?? false
    }
    return succeeded ? SessionID(high: words.0, low: words.1) : nil
  }

  // Sealing.

  /// Writes the token's text to the start of `text`, which has room for `maximumTextCount`
  /// characters; answers how many it has.
  public func seal(
    _ claims: SessionClaims, now: Timestamp, to text: UnsafeMutableRawBufferPointer
  ) throws(TokenSealingError) -> Int {
    takeKeys()
    guard
      let key = keys.first(where: { $0.sealsFrom <= now && claims.expiresAt <= $0.opensUntil })
    else { throw .noKey }
    guard let context = key.sealing else { throw .cipherFailed }
    guard let count = TokenFormat.write(claims, to: plain) else { throw .storefrontTooLong }
    let sealedCount = TokenFormat.headerCount + count + TokenFormat.tagCount
    scratch[0] = TokenFormat.version
    scratch.storeBytes(of: key.id.bigEndian, toByteOffset: 1, as: UInt32.self)
    guard nonces.next(from: &random, to: scratch, at: TokenFormat.nonceOffset),
      Self.seal(context, plain, count, scratch)
    else { throw .cipherFailed }
    return base64.encode(UnsafeRawBufferPointer(rebasing: scratch[..<sealedCount]), to: text)
  }

  /// The token as text.
  public func seal(_ claims: SessionClaims, now: Timestamp) throws(TokenSealingError) -> String {
    var failure: TokenSealingError?
    let text = String(unsafeUninitializedCapacity: TokenFormat.maximumTextCount) { text in
      do throws(TokenSealingError) {
        return try seal(claims, now: now, to: UnsafeMutableRawBufferPointer(text))
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return text
  }

  private static func seal(
    _ context: OpaquePointer, _ plain: UnsafeMutableRawBufferPointer, _ count: Int,
    _ token: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let source = plain.baseAddress, let target = token.baseAddress else { return false }
    let bytes = target.assumingMemoryBound(to: UInt8.self)
    return copenssl_gcm_seal(
      context, bytes + TokenFormat.nonceOffset, bytes, Int32(TokenFormat.headerCount),
      source.assumingMemoryBound(to: UInt8.self), Int32(count), bytes + TokenFormat.headerCount)
  }

  // Opening.

  /// Reads a token's text.
  ///
  /// Throws `.sessionInvalid` if it wasn't sealed by this service or its key is gone,
  /// `.sessionExpired` from its expiry on, `.sessionEnded` if it was revoked.
  public func open(
    _ text: UnsafeRawBufferPointer, now: Timestamp
  ) throws(RefusalReason) -> SessionClaims {
    guard text.count <= TokenFormat.maximumTextCount, let count = base64.decode(text, to: scratch),
      count >= TokenFormat.minimumCount, scratch[0] == TokenFormat.version
    else { throw .sessionInvalid }
    takeKeys()
    let id = UInt32(bigEndian: scratch.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    guard let key = keys.first(where: { $0.id == id }), now < key.opensUntil,
      let context = key.opening
    else { throw .sessionInvalid }
    let plainCount = count - TokenFormat.headerCount - TokenFormat.tagCount
    guard Self.open(context, scratch, plainCount, plain),
      let claims = TokenFormat.read(UnsafeRawBufferPointer(rebasing: plain[..<plainCount]))
    else { throw .sessionInvalid }
    guard now < claims.expiresAt else { throw .sessionExpired }
    guard !revocations.contains(claims.sessionID) else { throw .sessionEnded }
    return claims
  }

  /// Reads a token's text.
  public func open(_ text: String, now: Timestamp) throws(RefusalReason) -> SessionClaims {
    var text = text
    let result = text.withUTF8 { bytes -> Result<SessionClaims, RefusalReason> in
      do throws(RefusalReason) {
        return .success(try open(UnsafeRawBufferPointer(bytes), now: now))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func open(
    _ context: OpaquePointer, _ token: UnsafeMutableRawBufferPointer, _ count: Int,
    _ plain: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let source = token.baseAddress, let target = plain.baseAddress else { return false }
    let bytes = source.assumingMemoryBound(to: UInt8.self)
    return copenssl_gcm_open(
      context, bytes + TokenFormat.nonceOffset, bytes, Int32(TokenFormat.headerCount),
      bytes + TokenFormat.headerCount, Int32(count), target.assumingMemoryBound(to: UInt8.self))
  }

  // Keys.

  /// Follows the keyring if it has changed.
  private func takeKeys() {
    let current = keyring.generation
    guard current != generation else { return }
    freeContexts()
    keys = keyring.all.map(Key.init)
    generation = current
    nonces = NonceSequence()
  }

  private func freeContexts() {
    for key in keys {
      EVP_CIPHER_CTX_free(key.sealing)
      EVP_CIPHER_CTX_free(key.opening)
    }
    keys = []
  }
}
