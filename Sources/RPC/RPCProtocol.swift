/// Names of the wire protocol.
public enum RPCProtocol {
  /// The protocol's name in the TLS handshake (ALPN); its number is the major version.
  public static let name = "onside/1"
}
