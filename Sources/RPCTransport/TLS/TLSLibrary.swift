import COpenSSL

/// The TLS library that this process runs with.
public enum TLSLibrary {
  /// Its name, version and date: "OpenSSL 3.5.4 30 Sep 2025".
  public static var version: String {
    OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "OpenSSL"
  }
}
