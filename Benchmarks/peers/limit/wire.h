/* Frames over TLS on a non-blocking socket, for both sides of the bare limit.
 *
 * A frame is a 4-byte big-endian payload length and the payload. A payload begins with an 8-byte
 * sequence number, which the reply repeats; the rest is filler.
 */

#ifndef BENCHMARKS_LIMIT_WIRE_H
#define BENCHMARKS_LIMIT_WIRE_H

#include <endian.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

enum {
    FRAME_HEADER = 4,
    SEQUENCE_BYTES = 8,
    MAX_PAYLOAD = 1 << 20,
    READ_CHUNK = 64 * 1024,
    EVENTS_PER_WAIT = 256,
};

static inline void die(const char *what)
{
    fprintf(stderr, "%s failed\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

/* ---- Byte buffers --------------------------------------------------------------------------- */

typedef struct buffer {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
} buffer;

static inline void buffer_reserve(buffer *b, size_t more)
{
    if (b->size + more <= b->capacity)
        return;
    size_t capacity = b->capacity ? b->capacity : 256;
    while (capacity < b->size + more)
        capacity *= 2;
    b->bytes = realloc(b->bytes, capacity);
    if (!b->bytes)
        die("realloc");
    b->capacity = capacity;
}

static inline void buffer_append(buffer *b, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    buffer_reserve(b, size);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

static inline void buffer_free(buffer *b)
{
    free(b->bytes);
    *b = (buffer){0};
}

/* ---- Frames --------------------------------------------------------------------------------- */

/* Appends a frame: its sequence number, then filler up to `payload_size`. */
static inline void frame_append(buffer *b, uint64_t sequence, uint32_t payload_size)
{
    buffer_reserve(b, FRAME_HEADER + payload_size);
    unsigned char *at = b->bytes + b->size;
    uint32_t length = htobe32(payload_size);
    memcpy(at, &length, FRAME_HEADER);
    memcpy(at + FRAME_HEADER, &sequence, SEQUENCE_BYTES);
    memset(at + FRAME_HEADER + SEQUENCE_BYTES, 'x', payload_size - SEQUENCE_BYTES);
    b->size += FRAME_HEADER + payload_size;
}

/* Called for each complete frame; `payload` is valid during the call only. */
typedef void (*frame_handler)(void *owner, const unsigned char *payload, uint32_t size);

/* ---- A TLS connection ----------------------------------------------------------------------- */

typedef struct wire {
    int fd;
    SSL *ssl;
    uint32_t watched;      /* the epoll events that are asked for */
    buffer partial_input;  /* the beginning of a frame whose rest hasn't arrived yet */
    buffer pending_output; /* what the socket had no room for */
} wire;

typedef enum wire_state { WIRE_DRY, WIRE_MORE, WIRE_CLOSED } wire_state;

static inline bool wire_would_block(wire *w, int result)
{
    int error = SSL_get_error(w->ssl, result);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

/* Reads one chunk and hands out its frames. `scratch` is shared by all connections, so an idle
 * connection holds no input buffer. WIRE_MORE: OpenSSL holds bytes that epoll can't know of. */
static inline wire_state wire_read(wire *w, buffer *scratch, frame_handler handle, void *owner)
{
    scratch->size = 0;
    buffer_append(scratch, w->partial_input.bytes, w->partial_input.size);
    buffer_reserve(scratch, READ_CHUNK);

    ERR_clear_error();
    int count = SSL_read(w->ssl, scratch->bytes + scratch->size, READ_CHUNK);
    if (count <= 0)
        return wire_would_block(w, count) ? WIRE_DRY : WIRE_CLOSED;
    scratch->size += (size_t)count;

    size_t used = 0;
    while (scratch->size - used >= FRAME_HEADER) {
        uint32_t length;
        memcpy(&length, scratch->bytes + used, FRAME_HEADER);
        length = be32toh(length);
        if (length < SEQUENCE_BYTES || length > MAX_PAYLOAD)
            return WIRE_CLOSED;
        if (scratch->size - used < FRAME_HEADER + length)
            break;
        handle(owner, scratch->bytes + used + FRAME_HEADER, length);
        used += FRAME_HEADER + length;
    }

    w->partial_input.size = 0;
    if (used < scratch->size)
        buffer_append(&w->partial_input, scratch->bytes + used, scratch->size - used);
    else if (w->partial_input.capacity)
        buffer_free(&w->partial_input);
    return SSL_has_pending(w->ssl) ? WIRE_MORE : WIRE_DRY;
}

/* Writes all bytes; those that the socket has no room for are kept. False: the connection is lost.
 */
static inline bool wire_write(wire *w, const unsigned char *bytes, size_t size)
{
    size_t sent = 0;
    while (sent < size && w->pending_output.size == 0) {
        ERR_clear_error();
        int count = SSL_write(w->ssl, bytes + sent, (int)(size - sent));
        if (count > 0)
            sent += (size_t)count;
        else if (wire_would_block(w, count))
            break;
        else
            return false;
    }
    buffer_append(&w->pending_output, bytes + sent, size - sent);
    return true;
}

/* Tries to write what was kept. */
static inline bool wire_flush(wire *w)
{
    buffer kept = w->pending_output;
    w->pending_output = (buffer){0};
    bool alive = wire_write(w, kept.bytes, kept.size);
    buffer_free(&kept);
    return alive;
}

/* Asks epoll for `events` on this connection and for `owner` to come with them. */
static inline void wire_watch(wire *w, int epoll, uint32_t events, void *owner)
{
    if (w->watched == events)
        return;
    struct epoll_event event = {.events = events, .data.ptr = owner};
    int operation = w->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(epoll, operation, w->fd, &event) != 0)
        die("epoll_ctl");
    w->watched = events;
}

/* ---- Process and context settings ----------------------------------------------------------- */

/* TLS 1.3 with AES-128-GCM, and the key exchange that the contestant beside it takes: "P-256" is
 * gRPC's, "X25519" the project's. */
static inline SSL_CTX *tls_context(const SSL_METHOD *method, const char *group,
                                   bool release_buffers)
{
    SSL_CTX *context = SSL_CTX_new(method);
    if (!context || SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") != 1 ||
        SSL_CTX_set1_groups_list(context, group) != 1)
        die("TLS context");
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (release_buffers)
        SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    /* One recv for a record, in place of one for its header and one for its body. */
    SSL_CTX_set_read_ahead(context, 1);
    return context;
}

static inline void prepare_process(void)
{
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

#endif
