import COpenSSL

/// A version of TLS.
public struct TLSVersion: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number on the wire: 0x0303 for 1.2, 0x0304 for 1.3.
  public var rawValue: UInt16

  /// A version by its number on the wire.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// TLS 1.2.
  public static let v1_2 = TLSVersion(rawValue: 0x0303)
  /// TLS 1.3.
  public static let v1_3 = TLSVersion(rawValue: 0x0304)

  public static func < (left: TLSVersion, right: TLSVersion) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension TLSVersion: CustomStringConvertible {
  /// "TLSv1.3", as OpenSSL writes it.
  public var description: String {
    switch self {
    case .v1_2: "TLSv1.2"
    case .v1_3: "TLSv1.3"
    default: "TLS(\(rawValue))"
    }
  }
}
