// What TLS the gRPC peer negotiates.

#ifndef BENCHMARKS_GRPC_TLS_POLICY_H
#define BENCHMARKS_GRPC_TLS_POLICY_H

#include <openssl/bio.h>
#include <openssl/conf.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>

// Makes every TLS context of this process TLS 1.3 with AES-128-GCM. Call it before gRPC starts.
//
// gRPC has no setting for TLS 1.3 cipher suites: it would take OpenSSL's first choice, AES-256-GCM,
// and be compared unfairly. OpenSSL applies its "system default" configuration to each context, so
// the policy is given to it that way, in place of the machine's own configuration file.
inline bool UseTls13WithAes128() {
  static const char kConfiguration[] =
      "openssl_conf = peer\n"
      "[peer]\n"
      "ssl_conf = contexts\n"
      "[contexts]\n"
      "system_default = policy\n"
      "[policy]\n"
      "MinProtocol = TLSv1.3\n"
      "Ciphersuites = TLS_AES_128_GCM_SHA256\n";
  OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  BIO* text = BIO_new_mem_buf(kConfiguration, -1);
  CONF* configuration = NCONF_new(nullptr);
  const bool loaded = NCONF_load_bio(configuration, text, nullptr) == 1 &&
                      CONF_modules_load(configuration, nullptr, 0) == 1;
  NCONF_free(configuration);
  BIO_free(text);
  return loaded;
}

#endif
