// Authenticated encryption with a keyed context that is used again and again, and digests.

#ifndef EVP_SHIMS_H
#define EVP_SHIMS_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPENSSL_GCM_KEY = 32, COPENSSL_GCM_NONCE = 12, COPENSSL_GCM_TAG = 16 };

// A context of AES-256-GCM with a key of 32 bytes, for one direction; NULL if there is none.
static inline EVP_CIPHER_CTX *copenssl_gcm_new(const uint8_t *key, bool seals) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (context && EVP_CipherInit_ex(context, EVP_aes_256_gcm(), (ENGINE *)0, key,
                                   (const unsigned char *)0, seals ? 1 : 0) == 1) {
    return context;
  }
  EVP_CIPHER_CTX_free(context);
  ERR_clear_error();
  return (EVP_CIPHER_CTX *)0;
}

// Seals `count` bytes of `plain` into `sealed`, which has room for a tag more. `header` is
// authenticated with them. The context keeps its key.
static inline bool copenssl_gcm_seal(EVP_CIPHER_CTX *context, const uint8_t *nonce,
                                     const uint8_t *header, int header_count,
                                     const uint8_t *plain, int count, uint8_t *sealed) {
  int written = 0, rest = 0;
  if (EVP_EncryptInit_ex(context, (const EVP_CIPHER *)0, (ENGINE *)0, (const unsigned char *)0,
                         nonce) == 1 &&
      EVP_EncryptUpdate(context, (unsigned char *)0, &written, header, header_count) == 1 &&
      EVP_EncryptUpdate(context, sealed, &written, plain, count) == 1 &&
      EVP_EncryptFinal_ex(context, sealed + written, &rest) == 1 &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, COPENSSL_GCM_TAG, sealed + count) == 1) {
    return true;
  }
  ERR_clear_error();
  return false;
}

// Opens what `copenssl_gcm_seal` made: `count` bytes and the tag behind them. False if a single bit
// of it or of the header is another; `plain` means nothing then.
static inline bool copenssl_gcm_open(EVP_CIPHER_CTX *context, const uint8_t *nonce,
                                     const uint8_t *header, int header_count,
                                     const uint8_t *sealed, int count, uint8_t *plain) {
  int written = 0, rest = 0;
  if (EVP_DecryptInit_ex(context, (const EVP_CIPHER *)0, (ENGINE *)0, (const unsigned char *)0,
                         nonce) == 1 &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, COPENSSL_GCM_TAG,
                          (void *)(sealed + count)) == 1 &&
      EVP_DecryptUpdate(context, (unsigned char *)0, &written, header, header_count) == 1 &&
      EVP_DecryptUpdate(context, plain, &written, sealed, count) == 1 &&
      EVP_DecryptFinal_ex(context, plain + written, &rest) == 1) {
    return true;
  }
  // A forged token must not leave its error to the connection that comes next.
  ERR_clear_error();
  return false;
}

// The SHA-256 digest of `count` bytes into 32 bytes.
static inline bool copenssl_sha256(const void *bytes, size_t count, uint8_t *digest) {
  if (EVP_Digest(bytes, count, digest, (unsigned int *)0, EVP_sha256(), (ENGINE *)0) == 1) {
    return true;
  }
  ERR_clear_error();
  return false;
}

static inline bool copenssl_random(void *bytes, int count) {
  if (RAND_bytes((unsigned char *)bytes, count) == 1) return true;
  ERR_clear_error();
  return false;
}

// Overwrites secrets so that the compiler can't leave it out.
static inline void copenssl_cleanse(void *bytes, size_t count) { OPENSSL_cleanse(bytes, count); }

#endif
