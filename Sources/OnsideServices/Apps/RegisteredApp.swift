public import OnsideDomain
import RPC

/// An app that may use the service. Immutable.
public final class RegisteredApp: Sendable {
  /// As calls name it: `com.example.shop`.
  public let id: String

  /// For people.
  public let name: String

  /// Where a new profile belongs, and whose prices are shown, when a call says nothing else; nil:
  /// the catalogue's default storefront of the app decides.
  public let defaultCountry: CountryCode?

  /// SHA-256 of the keys that the app may come with, 32 bytes each; empty: it needs none. Several,
  /// so that a key can be replaced without a moment in which neither works.
  public let keyHashes: [[UInt8]]

  /// Which client certificates the app may come with; nil: it needs none.
  public let certificate: CertificateRequirement?

  /// True: whoever knows the app's identifier may use it. The identifier alone proves nothing.
  public let isOpen: Bool

  /// Stands for the identifier in session tokens.
  let tag: AppTag

  /// Describes an app.
  public init(
    id: String, name: String, defaultCountry: CountryCode? = nil, keyHashes: [[UInt8]] = [],
    certificate: CertificateRequirement? = nil
  ) {
    self.id = id
    tag = AppTag(appID: id)
    self.name = name
    self.defaultCountry = defaultCountry
    self.keyHashes = keyHashes
    self.certificate = certificate
    isOpen = keyHashes.isEmpty && certificate == nil
  }
}

/// Which client certificates an app may come with. The connection's TLS layer has verified them
/// against the server's client CA already.
public struct CertificateRequirement: Sendable, Hashable {
  /// SHA-256 over the certificate's DER form, 32 bytes each.
  public let fingerprints: [[UInt8]]

  /// Subjects in RFC 2253 form: `CN=game-backend,O=Example`.
  public let subjects: [String]

  /// Asks for a certificate with one of these fingerprints or subjects.
  public init(fingerprints: [[UInt8]] = [], subjects: [String] = []) {
    self.fingerprints = fingerprints
    self.subjects = subjects
  }

  /// Whether a verified certificate is one of those.
  func accepts(_ certificate: PeerInfo.Certificate) -> Bool {
    fingerprints.contains(certificate.fingerprint) || subjects.contains(certificate.subject)
  }
}
