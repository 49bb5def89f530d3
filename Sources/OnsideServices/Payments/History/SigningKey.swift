import COpenSSL
import OnsideDomain
import OnsideStore

/// A private key for ES256 (ECDSA on P-256 with SHA-256, RFC 7518 section 3.4).
///
/// Unchecked: OpenSSL's key isn't changed after it was made, and each signature has a context of
/// its own.
final class SigningKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// RFC 7638: names the key for whoever verifies.
  let identifier: String

  /// The key of a record; nil if it has no secret, or one that OpenSSL doesn't understand.
  init?(_ record: SigningKeyRecord) {
    guard !record.secret.isEmpty, let parameters = PublicKeyParameters(record.publicPoint),
      let key = record.secret.withUnsafeBufferPointer({
        copenssl_es256_read($0.baseAddress, $0.count)
      })
    else { return nil }
    self.key = key
    identifier = parameters.thumbprint
  }

  deinit {
    copenssl_es256_free(key)
  }

  /// A new key as it is stored; nil without randomness or memory.
  static func make(number: UInt32, at time: Timestamp) -> SigningKeyRecord? {
    guard let key = copenssl_es256_make() else { return nil }
    defer { copenssl_es256_free(key) }
    var secret = [UInt8](repeating: 0, count: Int(COPENSSL_ES256_SECRET))
    var point = [UInt8](repeating: 0, count: Int(COPENSSL_ES256_POINT))
    let count = copenssl_es256_write(key, &secret, secret.count)
    guard count > 0, copenssl_es256_point(key, &point) else { return nil }
    return SigningKeyRecord(
      number: number, secret: Array(secret.prefix(count)), publicPoint: point, createdAt: time)
  }

  /// A compact JWS (RFC 7515) of a JSON text; nil if OpenSSL can't sign.
  func sign(_ json: String) -> String? {
    let base64 = Base64URL()
    let header = JSONText.object([
      "alg": "\"ES256\"", "kid": JSONText.string(identifier), "typ": "\"JWT\"",
    ])
    let signed = base64.text(Array(header.utf8)) + "." + base64.text(Array(json.utf8))
    var signature = [UInt8](repeating: 0, count: Int(COPENSSL_ES256_SIGNATURE))
    let bytes = Array(signed.utf8)
    guard copenssl_es256_sign(key, bytes, bytes.count, &signature) else { return nil }
    return signed + "." + base64.text(signature)
  }
}

/// A public key of P-256 as a JWK (RFC 7517, RFC 7518 section 6.2) has it.
struct PublicKeyParameters {
  private let x: String
  private let y: String

  /// The parameters of an uncompressed point; nil if it isn't one.
  init?(_ point: [UInt8]) {
    guard point.count == Int(COPENSSL_ES256_POINT), point[0] == 4 else { return nil }
    let base64 = Base64URL()
    x = base64.text(Array(point[1..<33]))
    y = base64.text(Array(point[33...]))
  }

  /// SHA-256 over the required members in their order (RFC 7638).
  var thumbprint: String {
    let members = JSONText.object([
      "crv": "\"P-256\"", "kty": "\"EC\"", "x": JSONText.string(x), "y": JSONText.string(y),
    ])
    return Base64URL().text(SHA256.digest(Array(members.utf8)))
  }

  /// The key as JSON.
  var json: String {
    JSONText.object([
      "kty": "\"EC\"", "crv": "\"P-256\"", "x": JSONText.string(x), "y": JSONText.string(y),
      "use": "\"sig\"", "alg": "\"ES256\"", "kid": JSONText.string(thumbprint),
    ])
  }
}
