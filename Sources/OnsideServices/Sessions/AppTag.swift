import COpenSSL

/// Stands for an app's identifier where there is no room for it: in tokens and cache keys.
///
/// The first eight bytes of its SHA-256 digest, so that every server and every release computes the
/// same. Whoever registers apps has to refuse two with one tag.
public struct AppTag: Hashable, Sendable {
  public let value: UInt64

  public init(value: UInt64) {
    self.value = value
  }

  public init(appID: String) {
    var appID = appID
    value = appID.withUTF8 { text in
      let digest = SHA256.digest(UnsafeRawBufferPointer(text))
      return digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

/// The digest that fingerprints, app keys and tags are made with.
public enum SHA256 {
  /// How many bytes a digest has.
  public static let count = 32

  /// The digest of `bytes`.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { digest, initialized in
      // Fails only without memory, or if the library comes without SHA-256.
      let succeeded = copenssl_sha256(bytes.baseAddress, bytes.count, digest.baseAddress)
      precondition(succeeded, "OpenSSL can't compute SHA-256")
      initialized = count
    }
  }

  /// The digest of `bytes`.
  public static func digest(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { digest($0) }
  }
}
