// COpenSSL: OpenSSL 3's libssl and libcrypto, with functions for what it offers as macros only.

#ifndef COPENSSL_H
#define COPENSSL_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "es256_shims.h"
#include "evp_shims.h"

// ---- Contexts -----------------------------------------------------------------------------------

static inline void copenssl_set_modes(SSL_CTX *context) {
  // Partial writes from a buffer that may move, and no buffers while a connection is idle, as far as
  // copenssl_release_buffers doesn't say otherwise.
  //
  // The chain is what the certificate's file holds: OpenSSL would look for one, and verify it, in
  // each full handshake.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
}

// Whether OpenSSL frees a connection's buffers whenever they are empty; true frees them now, too.
static inline void copenssl_release_buffers(SSL *ssl, bool release) {
  if (release) {
    SSL_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
    SSL_free_buffers(ssl);
  } else {
    SSL_clear_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
  }
}

static inline bool copenssl_set_versions(SSL_CTX *context, int minimum, int maximum) {
  return SSL_CTX_set_min_proto_version(context, minimum) == 1 &&
         SSL_CTX_set_max_proto_version(context, maximum) == 1;
}

static inline bool copenssl_set_groups(SSL_CTX *context, const char *list) {
  return SSL_CTX_set1_groups_list(context, list) == 1;
}

static inline void copenssl_set_options(SSL_CTX *context, bool server) {
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                   (server ? SSL_OP_CIPHER_SERVER_PREFERENCE : 0));
}

static inline void copenssl_set_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }

static inline bool copenssl_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

// No cache in the library: tickets carry a server's sessions, and clients keep their own.
static inline void copenssl_disable_session_cache(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void copenssl_hand_out_sessions(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}

// ---- Connections --------------------------------------------------------------------------------

static inline bool copenssl_set_server_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name) == 1;
}

static inline bool copenssl_is_handshake_start(int where) { return where & SSL_CB_HANDSHAKE_START; }

// The key exchange group of the handshake, or NULL.
static inline const char *copenssl_group_name(SSL *ssl) {
  int nid = (int)SSL_get_negotiated_group(ssl);
  return nid == NID_undef ? (const char *)0 : OBJ_nid2sn(nid);
}

static inline void *copenssl_connection_data(const SSL *ssl) { return SSL_get_app_data(ssl); }
static inline void copenssl_set_connection_data(SSL *ssl, void *data) {
  SSL_set_app_data(ssl, data);
}
static inline void *copenssl_context_data(const SSL_CTX *context) {
  return SSL_CTX_get_app_data(context);
}
static inline void copenssl_set_context_data(SSL_CTX *context, void *data) {
  SSL_CTX_set_app_data(context, data);
}

// ---- Errors -------------------------------------------------------------------------------------

static inline int copenssl_reason(unsigned long error) { return ERR_GET_REASON(error); }
static inline int copenssl_library(unsigned long error) { return ERR_GET_LIB(error); }

// ---- Certificates -------------------------------------------------------------------------------

// A memory BIO over bytes that outlive it.
static inline BIO *copenssl_bio(const void *bytes, int size) {
  return BIO_new_mem_buf(bytes, size);
}

static inline void copenssl_free_certificate_names(STACK_OF(X509_NAME) * names) {
  sk_X509_NAME_pop_free(names, X509_NAME_free);
}

// Whether the error on top of the queue is PEM's "no (more) objects".
static inline bool copenssl_is_end_of_pem(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

// How names are printed: as RFC 2253 has it, but UTF-8 left as it is.
static inline unsigned long copenssl_name_format(void) {
  return XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
}

typedef struct copenssl_name {
  int type;                   // GEN_DNS, GEN_IPADD, GEN_EMAIL or GEN_URI; 0: none of these
  const unsigned char *bytes; // owned by the list
  int size;
} copenssl_name;

// The subject alternative names of a certificate, or NULL; to be freed.
static inline GENERAL_NAMES *copenssl_alternative_names(const X509 *certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, (int *)0, (int *)0);
}

static inline int copenssl_name_count(const GENERAL_NAMES *names) {
  return sk_GENERAL_NAME_num(names);
}

static inline copenssl_name copenssl_name_at(const GENERAL_NAMES *names, int index) {
  GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  copenssl_name result = {0, (const unsigned char *)0, 0};
  int type = 0;
  ASN1_STRING *value = (ASN1_STRING *)GENERAL_NAME_get0_value(name, &type);
  if (type == GEN_DNS || type == GEN_IPADD || type == GEN_EMAIL || type == GEN_URI) {
    result.type = type;
    result.bytes = ASN1_STRING_get0_data(value);
    result.size = ASN1_STRING_length(value);
  }
  return result;
}

// The bytes of a memory BIO.
static inline size_t copenssl_bio_bytes(BIO *bio, char **bytes) {
  long size = BIO_get_mem_data(bio, bytes);
  return size > 0 ? (size_t)size : 0;
}

// Verifies again, as a client's certificate, the one that a resumed session was made with: against
// the store as it is now, and the present time. X509_V_OK, or the error.
static inline int copenssl_verify_again(SSL *ssl, SSL_CTX *context) {
  X509 *certificate = SSL_get0_peer_certificate(ssl);
  if (!certificate) return X509_V_ERR_UNSPECIFIED;
  X509_STORE_CTX *check = X509_STORE_CTX_new();
  if (!check) return X509_V_ERR_OUT_OF_MEM;
  int result = X509_V_ERR_UNSPECIFIED;
  if (X509_STORE_CTX_init(check, SSL_CTX_get_cert_store(context), certificate,
                          SSL_get_peer_cert_chain(ssl)) == 1) {
    X509_STORE_CTX_set_default(check, "ssl_client");
    result = X509_verify_cert(check) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(check);
  }
  X509_STORE_CTX_free(check);
  return result;
}

// ---- Ticket keys --------------------------------------------------------------------------------

// Prepares the cipher (AES-256-CBC) and the MAC (HMAC-SHA256) of a session ticket. `encrypt`: a
// fresh initialization vector is put into `iv`. True on success.
static inline bool copenssl_prepare_ticket(EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
                                           const unsigned char *cipher_key,
                                           const unsigned char *mac_key, unsigned char *iv,
                                           bool encrypt) {
  if (encrypt && RAND_bytes(iv, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) != 1) return false;
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)mac_key, 32),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
      OSSL_PARAM_construct_end(),
  };
  if (EVP_MAC_CTX_set_params(mac, parameters) != 1) return false;
  return EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), (ENGINE *)0, cipher_key, iv,
                           encrypt ? 1 : 0) == 1;
}

#endif
