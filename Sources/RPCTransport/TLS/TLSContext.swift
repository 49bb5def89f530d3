import COpenSSL

/// An SSL_CTX. Nobody changes it once it is in use; other settings need another one.
final class TLSContext: @unchecked Sendable {
  let pointer: OpaquePointer

  /// A context with the settings that clients and servers share.
  init(server: Bool, minimumVersion: TLSVersion) throws(TLSConfigurationError) {
    guard let pointer = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method()) else {
      throw .refused("a new context")
    }
    self.pointer = pointer
    copenssl_set_modes(pointer)
    copenssl_set_options(pointer, server)
    copenssl_set_read_ahead(pointer)
    SSL_CTX_set_security_level(pointer, 2)
    SSL_CTX_set_info_callback(pointer) { ssl, where_, _ in
      if where_ & SSL_CB_LOOP != 0, let channel = Channel.of(ssl) { channel.stateMachineMoved() }
    }
    guard copenssl_set_versions(pointer, Int32(minimumVersion.rawValue), TLS1_3_VERSION) else {
      throw .refused("the TLS version \(minimumVersion)")
    }
    // AES-128 first: the fastest with AES instructions, and no weaker than the rest of the chain.
    guard
      SSL_CTX_set_ciphersuites(
        pointer,
        "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256") == 1,
      SSL_CTX_set_cipher_list(pointer, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
    else { throw .refused("the cipher suites") }
    // X25519 first: a full handshake takes a fifth less of the server's CPU than with P-256.
    guard copenssl_set_groups(pointer, "X25519:P-256:P-384") else {
      throw .refused("the key exchange groups")
    }
  }

  deinit {
    SSL_CTX_free(pointer)
  }

  /// Takes a certificate with its chain, and its key.
  func use(certificate: PEMFile, key: PEMFile) throws(TLSConfigurationError) {
    let chain = try certificate.certificates(role: "certificate")
    let privateKey = try key.privateKey()
    guard X509_check_private_key(chain[0].pointer, privateKey.pointer) == 1 else {
      ERR_clear_error()
      throw TLSConfigurationError(
        .mismatch,
        "the key in \(key.path) doesn't belong to the certificate in \(certificate.path); "
          + "give the pair that was made together")
    }
    ERR_clear_error()
    guard SSL_CTX_use_certificate(pointer, chain[0].pointer) == 1 else {
      throw .refused("the certificate in \(certificate.path)")
    }
    guard SSL_CTX_use_PrivateKey(pointer, privateKey.pointer) == 1 else {
      throw .refused("the key in \(key.path)")
    }
    for certificate in chain.dropFirst() {
      guard copenssl_add_chain_certificate(pointer, certificate.pointer) else {
        throw .refused("the certificate chain")
      }
    }
  }

  /// Trusts the certificates in the file, and no others.
  func trust(_ file: PEMFile, role: String) throws(TLSConfigurationError) {
    let store = SSL_CTX_get_cert_store(pointer)
    for certificate in try file.certificates(role: role) {
      guard X509_STORE_add_cert(store, certificate.pointer) == 1 else {
        throw .refused("a certificate in \(file.path)")
      }
    }
  }

  /// A new connection's SSL object.
  func makeConnection() -> OpaquePointer? {
    ERR_clear_error()
    return SSL_new(pointer)
  }
}
