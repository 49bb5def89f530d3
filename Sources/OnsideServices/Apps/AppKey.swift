import COpenSSL

/// What an app proves itself with: 256 random bits that only the app knows.
///
/// The service keeps the hash alone, so that whoever reads its files can't speak for the app. A
/// plain hash is enough for a random key: there is nothing to guess from a dictionary.
public struct AppKey: Sendable {
  /// What the app sends as the metadata `onside-app-key`: `oak_` and 43 characters. A secret.
  public let text: String

  /// Begins every key, so that tools that look for leaked secrets find it.
  static let prefix = "oak_"

  /// The most bytes of a presented key that are looked at. A longer text isn't a key of ours.
  static let maximumBytes = 128

  /// A new key.
  ///
  /// - Throws: `AppKeyError` when the system has no randomness to give.
  public static func random() throws(AppKeyError) -> AppKey {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { throw AppKeyError() }
    return AppKey(text: prefix + Base64URL().text(bytes))
  }

  /// SHA-256 over the key's text, 64 lower case hexadecimal digits: what the apps file holds.
  public var hash: String { Hexadecimal.text(Self.hash(Array(text.utf8))) }

  /// SHA-256 over a presented key.
  static func hash(_ presented: some Collection<UInt8>) -> [UInt8] {
    SHA256.digest(Array(presented))
  }

  /// Whether a presented key has one of some hashes. All are compared, each in constant time, so
  /// that the time tells nothing about how close a guess was.
  static func matches(_ presented: some Collection<UInt8>, _ hashes: [[UInt8]]) -> Bool {
    guard presented.count <= maximumBytes else { return false }
    let digest = hash(presented)
    var isEqual = false
    for hash in hashes where hash.count == digest.count {
      let differs = CRYPTO_memcmp(hash, digest, digest.count) != 0
      isEqual = isEqual || !differs
    }
    return isEqual
  }
}

/// The system has no randomness to give.
public struct AppKeyError: Error, CustomStringConvertible {
  public var description: String {
    "no random bytes from OpenSSL; check that /dev/urandom is readable"
  }
}
