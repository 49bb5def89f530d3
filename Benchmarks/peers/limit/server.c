/* The bare limit. OpenSSL and epoll in one thread, and no work per request.
 *
 * It answers each request frame with a reply frame of a fixed size. Whatever a real server does on
 * top (calls, messages, storage) can only add to what this one costs.
 */

#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OUTPUT_LIMIT = 256 * 1024 };

typedef struct options {
    int port;
    const char *certificate;
    const char *key;
    uint32_t response_bytes;
    const char *group;
    bool release_buffers;
} options;

typedef struct server {
    int epoll;
    int listener;
    SSL_CTX *tls;
    uint32_t response_bytes;
    buffer input;  /* scratch for the connection being served */
    buffer output; /* the replies to the batch being served */
} server;

static void answer(void *owner, const unsigned char *payload, uint32_t size)
{
    server *s = owner;
    uint64_t sequence;
    (void)size;
    memcpy(&sequence, payload, SEQUENCE_BYTES);
    frame_append(&s->output, sequence, s->response_bytes);
}

static bool send_replies(server *s, wire *w)
{
    bool alive = s->output.size == 0 || wire_write(w, s->output.bytes, s->output.size);
    s->output.size = 0;
    return alive;
}

/* Answers all requests that are there with one write. The handshake happens inside SSL_read. */
static bool serve(server *s, wire *w)
{
    wire_state state;
    if (w->pending_output.size && !wire_flush(w))
        return false;
    do {
        if (w->pending_output.size)
            break; /* the client has to read before it may ask for more */
        state = wire_read(w, &s->input, answer, s);
        if (state == WIRE_CLOSED)
            return false;
        if ((state == WIRE_DRY || s->output.size >= OUTPUT_LIMIT) && !send_replies(s, w))
            return false;
    } while (state == WIRE_MORE);
    wire_watch(w, s->epoll, w->pending_output.size ? EPOLLOUT : EPOLLIN, w);
    return true;
}

static void close_connection(server *s, wire *w)
{
    s->output.size = 0;
    if (SSL_get_shutdown(w->ssl) & SSL_RECEIVED_SHUTDOWN)
        SSL_shutdown(w->ssl); /* the client said goodbye: so does the server */
    SSL_free(w->ssl);
    close(w->fd);
    buffer_free(&w->partial_input);
    buffer_free(&w->pending_output);
    free(w);
}

static void accept_connections(server *s)
{
    int fd, on = 1;
    while ((fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        wire *w = calloc(1, sizeof *w);
        if (!w || !(w->ssl = SSL_new(s->tls)))
            die("new connection");
        w->fd = fd;
        SSL_set_fd(w->ssl, fd);
        SSL_set_accept_state(w->ssl);
        wire_watch(w, s->epoll, EPOLLIN, w);
    }
    if (errno != EAGAIN && errno != ECONNABORTED)
        die("accept");
}

static void run(server *s)
{
    struct epoll_event events[EVENTS_PER_WAIT];
    for (;;) {
        int count = epoll_wait(s->epoll, events, EVENTS_PER_WAIT, -1);
        for (int i = 0; i < count; i++) {
            wire *w = events[i].data.ptr;
            if (!w)
                accept_connections(s);
            else if (!serve(s, w))
                close_connection(s, w);
        }
    }
}

static SSL_CTX *server_tls(const options *o)
{
    SSL_CTX *tls = tls_context(TLS_server_method(), o->group, o->release_buffers);
    if (SSL_CTX_use_certificate_chain_file(tls, o->certificate) != 1 ||
        SSL_CTX_use_PrivateKey_file(tls, o->key, SSL_FILETYPE_PEM) != 1)
        die("loading the certificate");
    SSL_CTX_set_num_tickets(tls, 1);
    SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF); /* tickets need no cache */
    SSL_CTX_set_session_id_context(tls, (const unsigned char *)"limit", 5);
    return tls;
}

static int listen_on(int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, SOMAXCONN) != 0)
        die("listening");
    return fd;
}

static void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s --port N --cert FILE --key FILE [--response-bytes N] [--group NAME]\n"
            "       [--release-buffers]\n",
            program);
    exit(2);
}

static options parse(int argc, char **argv)
{
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'},
        {"cert", required_argument, NULL, 'c'},
        {"key", required_argument, NULL, 'k'},
        {"response-bytes", required_argument, NULL, 'r'},
        {"group", required_argument, NULL, 'g'},
        {"release-buffers", no_argument, NULL, 'R'},
        {0},
    };
    options o = {.response_bytes = 200, .group = "X25519"};
    int flag;
    while ((flag = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (flag) {
        case 'p': o.port = atoi(optarg); break;
        case 'c': o.certificate = optarg; break;
        case 'k': o.key = optarg; break;
        case 'r': o.response_bytes = (uint32_t)atoi(optarg); break;
        case 'g': o.group = optarg; break;
        case 'R': o.release_buffers = true; break;
        default: usage(argv[0]);
        }
    }
    if (optind != argc || o.port <= 0 || !o.certificate || !o.key ||
        o.response_bytes < SEQUENCE_BYTES || o.response_bytes > MAX_PAYLOAD)
        usage(argv[0]);
    return o;
}

int main(int argc, char **argv)
{
    options o = parse(argc, argv);
    prepare_process();

    server s = {
        .epoll = epoll_create1(EPOLL_CLOEXEC),
        .listener = listen_on(o.port),
        .tls = server_tls(&o),
        .response_bytes = o.response_bytes,
    };
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(s.epoll, EPOLL_CTL_ADD, s.listener, &event) != 0)
        die("epoll_ctl");
    run(&s);
}
