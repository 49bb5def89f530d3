// ECDSA on P-256 with SHA-256, as JWS has it: keys of bytes, signatures of 64 bytes.

#ifndef ES256_SHIMS_H
#define ES256_SHIMS_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  COPENSSL_ES256_SECRET = 256,   // room for a private key in DER
  COPENSSL_ES256_POINT = 65,     // an uncompressed point
  COPENSSL_ES256_SIGNATURE = 64  // r and s, 32 bytes each, big-endian
};

// A new key; NULL if there is none. To be freed with copenssl_es256_free.
static inline EVP_PKEY *copenssl_es256_make(void) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  if (!key) ERR_clear_error();
  return key;
}

static inline void copenssl_es256_free(EVP_PKEY *key) { EVP_PKEY_free(key); }

// Writes the private key in DER (SEC 1); answers how many bytes, or 0.
static inline size_t copenssl_es256_write(EVP_PKEY *key, uint8_t *der, size_t capacity) {
  int count = i2d_PrivateKey(key, (unsigned char **)0);
  unsigned char *end = der;
  if (count > 0 && (size_t)count <= capacity && i2d_PrivateKey(key, &end) == count) {
    return (size_t)count;
  }
  ERR_clear_error();
  return 0;
}

// The key of `count` bytes of DER; NULL if they are none on P-256.
static inline EVP_PKEY *copenssl_es256_read(const uint8_t *der, size_t count) {
  const unsigned char *start = der;
  EVP_PKEY *key = d2i_AutoPrivateKey((EVP_PKEY **)0, &start, (long)count);
  if (key && EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_bits(key) == 256) return key;
  EVP_PKEY_free(key);
  ERR_clear_error();
  return (EVP_PKEY *)0;
}

// The public key as an uncompressed point of 65 bytes.
static inline bool copenssl_es256_point(EVP_PKEY *key, uint8_t *point) {
  size_t count = 0;
  if (EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, COPENSSL_ES256_POINT,
                                      &count) == 1 &&
      count == COPENSSL_ES256_POINT && point[0] == 4) {
    return true;
  }
  ERR_clear_error();
  return false;
}

// Signs `count` bytes; `signature` gets r and s.
static inline bool copenssl_es256_sign(EVP_PKEY *key, const uint8_t *bytes, size_t count,
                                       uint8_t *signature) {
  unsigned char der[128];
  size_t length = sizeof der;
  ECDSA_SIG *parts = (ECDSA_SIG *)0;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  bool done = false;
  if (context &&
      EVP_DigestSignInit(context, (EVP_PKEY_CTX **)0, EVP_sha256(), (ENGINE *)0, key) == 1 &&
      EVP_DigestSign(context, der, &length, bytes, count) == 1) {
    const unsigned char *start = der;
    parts = d2i_ECDSA_SIG((ECDSA_SIG **)0, &start, (long)length);
    done = parts && BN_bn2binpad(ECDSA_SIG_get0_r(parts), signature, 32) == 32 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(parts), signature + 32, 32) == 32;
  }
  ECDSA_SIG_free(parts);
  EVP_MD_CTX_free(context);
  if (!done) ERR_clear_error();
  return done;
}

#endif
