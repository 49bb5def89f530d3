/* The load for the bare limit, in three modes.
 *
 *   echo        closed loop: each connection keeps --in-flight requests under way
 *   handshake   closed loop: connect, TLS handshake (full, or resumed with --resume), one request,
 *               close; one such cycle counts as one call. With --goodbye it closes as TLS asks:
 *               close_notify and FIN, and waits for the server's
 *   idle        opens the connections, leaves them alone for --seconds, reports the server's memory
 *               per connection, then sends one request on each to show that it is alive
 */

#include "../measure.h"
#include "wire.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

typedef enum mode { MODE_ECHO, MODE_HANDSHAKE, MODE_IDLE } mode;
static const char *const mode_names[] = {"echo", "handshake", "idle"};

enum { OPENING_AT_ONCE = 32, PINGS_AT_ONCE = 32, PATIENCE_SECONDS = 10 };

typedef struct options {
    int port;
    const char *ca;
    const char *group;
    mode mode;
    bool resume;
    bool goodbye;
    int connections;
    int in_flight;
    double seconds;
    double warmup;
    uint32_t request_bytes;
    uint32_t response_bytes;
    pid_t server_pid;
    bool json;
} options;

typedef struct client client;

typedef struct connection {
    wire wire;
    client *client;
    bool established;
    bool leaving; /* it has said goodbye and waits for the server's */
    uint64_t opened_ns;
    uint64_t *sent_ns; /* ring: when each request under way was sent */
    uint64_t sent;     /* requests so far; also the next sequence number */
    uint64_t answered;
} connection;

struct client {
    options options;
    int epoll;
    SSL_CTX *tls;
    SSL_SESSION *session; /* the ticket that resumed handshakes use */
    connection *connections;
    buffer input;  /* scratch */
    buffer output; /* scratch */

    int established; /* connections whose handshake is done */
    bool measuring;
    histogram latency;
    uint64_t ok;
    uint64_t failed;
    uint64_t handshakes; /* inside the measured window */
    uint64_t resumed;
};

/* ---- Requests and replies ------------------------------------------------------------------- */

static void update_watch(connection *c)
{
    uint32_t events = EPOLLIN | (c->wire.pending_output.size ? EPOLLOUT : 0u);
    wire_watch(&c->wire, c->client->epoll, events, c);
}

static void send_requests(connection *c, int count)
{
    client *k = c->client;
    uint64_t now = monotonic_ns();
    k->output.size = 0;
    for (int i = 0; i < count; i++) {
        c->sent_ns[c->sent % (uint64_t)k->options.in_flight] = now;
        frame_append(&k->output, c->sent++, k->options.request_bytes);
    }
    if (!wire_write(&c->wire, k->output.bytes, k->output.size))
        die("writing requests");
}

static void take_reply(void *owner, const unsigned char *payload, uint32_t size)
{
    connection *c = owner;
    client *k = c->client;
    uint64_t sequence;
    memcpy(&sequence, payload, SEQUENCE_BYTES);
    bool right = sequence == c->answered && c->answered < c->sent &&
                 size == k->options.response_bytes;
    uint64_t began = k->options.mode == MODE_HANDSHAKE
                         ? c->opened_ns
                         : c->sent_ns[c->answered % (uint64_t)k->options.in_flight];
    c->answered++;
    if (!right) {
        k->failed++;
    } else if (k->measuring) {
        k->ok++;
        histogram_record(&k->latency, monotonic_ns() - began);
    }
}

/* ---- Connections ---------------------------------------------------------------------------- */

static int connected_socket(int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void continue_handshake(connection *c)
{
    client *k = c->client;
    ERR_clear_error();
    int result = SSL_do_handshake(c->wire.ssl);
    if (result != 1) {
        if (!wire_would_block(&c->wire, result))
            die("TLS handshake");
        return;
    }
    c->established = true;
    k->established++;
    if (k->measuring) {
        k->handshakes++;
        k->resumed += SSL_session_reused(c->wire.ssl) ? 1 : 0;
    }
    if (k->options.mode == MODE_ECHO)
        send_requests(c, k->options.in_flight);
    else if (k->options.mode == MODE_HANDSHAKE)
        send_requests(c, 1);
}

static void open_connection(connection *c)
{
    client *k = c->client;
    c->opened_ns = monotonic_ns();
    c->established = c->leaving = false;
    c->sent = c->answered = 0;
    c->wire.fd = connected_socket(k->options.port);
    c->wire.watched = 0;
    c->wire.ssl = SSL_new(k->tls);
    SSL_set_fd(c->wire.ssl, c->wire.fd);
    SSL_set_connect_state(c->wire.ssl);
    if (k->session) {
        /* OpenSSL lets a TLS 1.3 session be used once; a copy leaves the original usable. */
        SSL_SESSION *copy = SSL_SESSION_dup(k->session);
        SSL_set_session(c->wire.ssl, copy);
        SSL_SESSION_free(copy);
    }
    continue_handshake(c);
    update_watch(c);
}

static void close_connection(connection *c)
{
    /* A reset leaves no TIME_WAIT behind, which would use up the ports in a few seconds. */
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    setsockopt(c->wire.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    SSL_set_shutdown(c->wire.ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(c->wire.ssl);
    close(c->wire.fd);
    buffer_free(&c->wire.partial_input);
    buffer_free(&c->wire.pending_output);
    if (c->established)
        c->client->established--;
}

static void open_next(connection *c)
{
    close_connection(c);
    open_connection(c);
}

static void say_goodbye(connection *c)
{
    c->leaving = true;
    SSL_shutdown(c->wire.ssl);
    shutdown(c->wire.fd, SHUT_WR);
}

static void serve(connection *c)
{
    client *k = c->client;
    if (c->leaving) {
        if (wire_read(&c->wire, &k->input, take_reply, c) == WIRE_CLOSED)
            open_next(c);
        return;
    }
    if (!c->established) {
        continue_handshake(c);
        if (!c->established || !SSL_has_pending(c->wire.ssl)) {
            update_watch(c);
            return;
        }
    }
    if (c->wire.pending_output.size && !wire_flush(&c->wire))
        die("writing requests");

    uint64_t answered_before = c->answered;
    wire_state state;
    while ((state = wire_read(&c->wire, &k->input, take_reply, c)) == WIRE_MORE) {
    }
    if (state == WIRE_CLOSED)
        die("reading replies");

    int answered = (int)(c->answered - answered_before);
    if (k->options.mode == MODE_HANDSHAKE && answered) {
        if (k->options.goodbye)
            say_goodbye(c);
        else
            open_next(c);
        return;
    }
    if (k->options.mode == MODE_ECHO && answered)
        send_requests(c, answered);
    update_watch(c);
}

static void wait_and_serve(client *k, int timeout_ms)
{
    struct epoll_event events[EVENTS_PER_WAIT];
    int count = epoll_wait(k->epoll, events, EVENTS_PER_WAIT, timeout_ms);
    for (int i = 0; i < count; i++)
        serve(events[i].data.ptr);
}

static uint64_t deadline_after(double seconds)
{
    return monotonic_ns() + (uint64_t)(seconds * 1e9);
}

static void serve_until(client *k, uint64_t deadline)
{
    while (monotonic_ns() < deadline)
        wait_and_serve(k, 20);
}

static void wait_established(client *k, int count)
{
    uint64_t deadline = deadline_after(PATIENCE_SECONDS);
    while (k->established < count) {
        if (monotonic_ns() > deadline)
            die("opening the connections in time");
        wait_and_serve(k, 20);
    }
}

static void open_connections(client *k, int first, int end)
{
    for (int i = first; i < end; i++) {
        connection *c = &k->connections[i];
        c->client = k;
        c->sent_ns = calloc((size_t)k->options.in_flight, sizeof *c->sent_ns);
        open_connection(c);
        if (k->options.mode != MODE_HANDSHAKE)
            wait_established(k, i + 1 - OPENING_AT_ONCE);
    }
    if (k->options.mode != MODE_HANDSHAKE)
        wait_established(k, end);
}

/* ---- The modes ------------------------------------------------------------------------------ */

static run_report new_report(client *k, const char *workload)
{
    return (run_report){
        .peer = "limit",
        .workload = workload,
        .connections = k->options.connections,
        .in_flight = k->options.in_flight,
        .latency = &k->latency,
    };
}

static bool print_report(client *k, run_report *report, const char *extra_json)
{
    report->ok = k->ok;
    report->failed = k->failed;
    report->extra_json = extra_json;
    report_print(report, k->options.json);
    return report->failed == 0 && report->ok > 0;
}

static bool run_closed_loop(client *k)
{
    bool handshakes = k->options.mode == MODE_HANDSHAKE;
    run_report report = new_report(k, !handshakes         ? "echo"
                                      : k->options.resume ? "handshake-resumed"
                                                          : "handshake-full");
    open_connections(k, 0, k->options.connections);
    serve_until(k, deadline_after(k->options.warmup));

    k->measuring = true;
    report_begin(&report, k->options.server_pid);
    serve_until(k, deadline_after(k->options.seconds));
    report_end(&report);
    k->measuring = false;

    char extra[64] = "";
    if (handshakes)
        snprintf(extra, sizeof extra, ",\"resumed_share\":%.4f",
                 k->handshakes ? (double)k->resumed / (double)k->handshakes : 0);
    return print_report(k, &report, extra);
}

/* Sends one request on each connection, some connections at a time. */
static void ping_all(client *k)
{
    uint64_t deadline = deadline_after(PATIENCE_SECONDS);
    uint64_t all = (uint64_t)k->options.connections, sent = 0;
    while (k->ok + k->failed < all && monotonic_ns() < deadline) {
        while (sent < all && sent - k->ok - k->failed < PINGS_AT_ONCE) {
            connection *c = &k->connections[sent++];
            send_requests(c, 1);
            update_watch(c);
        }
        wait_and_serve(k, 20);
    }
    k->failed = all - k->ok;
}

static bool run_idle(client *k)
{
    run_report report = new_report(k, "idle");
    int connections = k->options.connections;

    /* The first connection makes the server allocate what it needs once. */
    open_connections(k, 0, 1);
    serve_until(k, deadline_after(0.2));
    uint64_t rss_before = process_rss_bytes(k->options.server_pid);

    uint64_t opening_began = monotonic_ns();
    open_connections(k, 1, connections);
    double opening = (double)(monotonic_ns() - opening_began) / 1e9;

    uint64_t cpu_before = process_cpu_ns(k->options.server_pid);
    serve_until(k, deadline_after(k->options.seconds));
    uint64_t idle_cpu = process_cpu_ns(k->options.server_pid) - cpu_before;
    uint64_t rss = process_rss_bytes(k->options.server_pid);

    k->measuring = true;
    report_begin(&report, k->options.server_pid);
    ping_all(k);
    report_end(&report);

    char extra[256];
    snprintf(extra, sizeof extra,
             ",\"idle_rss_bytes\":%" PRIu64 ",\"rss_bytes_per_connection\":%.0f,"
             "\"idle_server_cpu_ms\":%.3f,\"opened_per_second\":%.0f",
             rss, connections > 1 ? ((double)rss - (double)rss_before) / (connections - 1) : 0,
             (double)idle_cpu / 1e6, connections > 1 ? (connections - 1) / opening : 0);
    return print_report(k, &report, extra);
}

/* ---- Setting up ----------------------------------------------------------------------------- */

static int session_index; /* where the SSL_CTX keeps its client */

static int keep_first_session(SSL *ssl, SSL_SESSION *session)
{
    client *k = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), session_index);
    if (k->session)
        return 0;
    k->session = session;
    return 1; /* the reference is ours now */
}

static void set_up_tls(client *k)
{
    k->tls = tls_context(TLS_client_method(), k->options.group,
                         k->options.mode == MODE_IDLE);
    if (SSL_CTX_load_verify_file(k->tls, k->options.ca) != 1 ||
        X509_VERIFY_PARAM_set1_ip_asc(SSL_CTX_get0_param(k->tls), "127.0.0.1") != 1)
        die("loading the CA");
    SSL_CTX_set_verify(k->tls, SSL_VERIFY_PEER, NULL);
    if (k->options.resume) {
        session_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
        SSL_CTX_set_ex_data(k->tls, session_index, k);
        SSL_CTX_set_session_cache_mode(k->tls, SSL_SESS_CACHE_CLIENT |
                                                   SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(k->tls, keep_first_session);
    }
}

static void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s --port N --ca FILE [--mode echo|handshake|idle] [--resume]\n"
            "       [--goodbye]\n"
            "       [--connections N] [--in-flight N] [--seconds S] [--warmup S]\n"
            "       [--request-bytes N] [--response-bytes N] [--group NAME] [--server-pid PID]\n"
            "       [--json]\n",
            program);
    exit(2);
}

static mode parse_mode(const char *name, const char *program)
{
    for (int m = MODE_ECHO; m <= MODE_IDLE; m++) {
        if (strcmp(name, mode_names[m]) == 0)
            return (mode)m;
    }
    usage(program);
    return MODE_ECHO;
}

static options parse(int argc, char **argv)
{
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'},
        {"ca", required_argument, NULL, 'a'},
        {"mode", required_argument, NULL, 'm'},
        {"resume", no_argument, NULL, 'R'},
        {"goodbye", no_argument, NULL, 'G'},
        {"connections", required_argument, NULL, 'c'},
        {"in-flight", required_argument, NULL, 'i'},
        {"seconds", required_argument, NULL, 's'},
        {"warmup", required_argument, NULL, 'w'},
        {"request-bytes", required_argument, NULL, 'q'},
        {"response-bytes", required_argument, NULL, 'r'},
        {"group", required_argument, NULL, 'g'},
        {"server-pid", required_argument, NULL, 'P'},
        {"json", no_argument, NULL, 'j'},
        {0},
    };
    options o = {
        .connections = 64,
        .in_flight = 1,
        .seconds = 5,
        .warmup = 1,
        .request_bytes = 64,
        .response_bytes = 200,
        .group = "X25519",
    };
    int flag;
    while ((flag = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (flag) {
        case 'p': o.port = atoi(optarg); break;
        case 'a': o.ca = optarg; break;
        case 'm': o.mode = parse_mode(optarg, argv[0]); break;
        case 'R': o.resume = true; break;
        case 'G': o.goodbye = true; break;
        case 'c': o.connections = atoi(optarg); break;
        case 'i': o.in_flight = atoi(optarg); break;
        case 's': o.seconds = atof(optarg); break;
        case 'w': o.warmup = atof(optarg); break;
        case 'q': o.request_bytes = (uint32_t)atoi(optarg); break;
        case 'r': o.response_bytes = (uint32_t)atoi(optarg); break;
        case 'g': o.group = optarg; break;
        case 'P': o.server_pid = atoi(optarg); break;
        case 'j': o.json = true; break;
        default: usage(argv[0]);
        }
    }
    if (optind != argc || o.port <= 0 || !o.ca || o.connections <= 0 || o.in_flight <= 0 ||
        !(o.seconds > 0) || !(o.warmup >= 0) || o.request_bytes < SEQUENCE_BYTES ||
        o.request_bytes > MAX_PAYLOAD || o.response_bytes < SEQUENCE_BYTES ||
        o.response_bytes > MAX_PAYLOAD)
        usage(argv[0]);
    return o;
}

int main(int argc, char **argv)
{
    static client k;
    k.options = parse(argc, argv);
    prepare_process();
    k.epoll = epoll_create1(EPOLL_CLOEXEC);
    k.connections = calloc((size_t)k.options.connections, sizeof *k.connections);
    set_up_tls(&k);
    bool good = k.options.mode == MODE_IDLE ? run_idle(&k) : run_closed_loop(&k);
    return good ? 0 : 1;
}
