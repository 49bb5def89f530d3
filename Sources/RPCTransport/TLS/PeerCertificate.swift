import COpenSSL

/// What a certificate says about whom it was made for.
public struct PeerCertificate: Sendable, Hashable {
  /// One of the names that it holds for.
  public enum Name: Sendable, Hashable {
    /// A host name, possibly with a leading `*.`.
    case dns(String)
    /// An IP address as text.
    case ip(String)
    /// An e-mail address.
    case email(String)
    /// A URI, as used for workload identities (`spiffe://…`).
    case uri(String)
  }

  /// The subject in the form of RFC 2253, for example `CN=client,O=Example`.
  public var subject: String
  /// The subject alternative names.
  public var alternativeNames: [Name]
  /// SHA-256 over the whole certificate (DER): 32 bytes.
  public var fingerprint: [UInt8]
  /// The serial number in upper-case hexadecimal.
  public var serial: String

  init(_ certificate: OpaquePointer) {
    subject = Self.text { bio in
      X509_NAME_print_ex(
        bio, X509_get_subject_name(certificate), 0,
        copenssl_name_format())
    }
    serial = Self.text { i2a_ASN1_INTEGER($0, X509_get0_serialNumber(certificate)) }
    alternativeNames = Self.names(certificate)
    var digest = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 32
    X509_digest(certificate, EVP_sha256(), &digest, &size)
    fingerprint = digest
  }

  /// The fingerprint as lower-case hexadecimal.
  public var fingerprintText: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: fingerprint.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  private static func text(_ print: (OpaquePointer?) -> Int32) -> String {
    let bio = BIO_new(BIO_s_mem())
    defer { BIO_free(bio) }
    _ = print(bio)
    var bytes: UnsafeMutablePointer<CChar>?
    let size = copenssl_bio_bytes(bio, &bytes)
    return String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : size),
      as: UTF8.self)
  }

  static func names(_ certificate: OpaquePointer) -> [Name] {
    guard let list = copenssl_alternative_names(certificate) else { return [] }
    defer { GENERAL_NAMES_free(list) }
    return (0..<copenssl_name_count(list)).compactMap { name(copenssl_name_at(list, $0)) }
  }

  private static func name(_ name: copenssl_name) -> Name? {
    let bytes = UnsafeBufferPointer(start: name.bytes, count: Int(max(0, name.size)))
    let text = String(decoding: bytes, as: UTF8.self)
    switch name.type {
    case GEN_DNS: return .dns(text)
    case GEN_EMAIL: return .email(text)
    case GEN_URI: return .uri(text)
    case GEN_IPADD: return address(bytes).map { .ip($0.host) }
    default: return nil
    }
  }

  private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> SocketAddress? {
    func number<T: FixedWidthInteger>(_ bytes: some Sequence<UInt8>) -> T {
      bytes.reduce(0) { $0 << 8 | T($1) }
    }
    switch bytes.count {
    case 4: return .ipv4(address: number(bytes), port: 0)
    case 16:
      return .ipv6(high: number(bytes.prefix(8)), low: number(bytes.suffix(8)), port: 0, scope: 0)
    default: return nil
    }
  }
}

extension PeerCertificate.Name: CustomStringConvertible {
  /// The name alone.
  public var description: String {
    switch self {
    case .dns(let text), .ip(let text), .email(let text), .uri(let text): text
    }
  }
}
