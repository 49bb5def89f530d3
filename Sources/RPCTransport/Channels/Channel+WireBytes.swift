import COpenSSL

extension Channel {
  /// What has gone through the socket so far; when the channel has ended, what had by then. On its
  /// loop only. OpenSSL counts anyway: asking costs a call, and not asking nothing.
  public var wireBytes: WireBytes {
    guard let ssl else { return finalWireBytes }
    return WireBytes(
      sent: SSL_get_wbio(ssl).map { BIO_number_written($0) } ?? 0,
      received: SSL_get_rbio(ssl).map { BIO_number_read($0) } ?? 0)
  }
}
