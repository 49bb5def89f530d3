/* Clocks, latency percentiles and the JSON report, shared by the C and C++ peers. */

#ifndef BENCHMARKS_MEASURE_H
#define BENCHMARKS_MEASURE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- Clocks and memory ---------------------------------------------------------------------- */

static inline uint64_t clock_ns(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint64_t monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* CPU time that all threads of a process have used so far, user and system; 0 if unknown. */
static inline uint64_t process_cpu_ns(pid_t pid)
{
    clockid_t clock;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0)
        return 0;
    return clock_ns(clock);
}

static inline uint64_t own_cpu_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Resident memory of a process; 0 if unknown. */
static inline uint64_t process_rss_bytes(pid_t pid)
{
    char path[64];
    unsigned long total_pages = 0, resident_pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = pid > 0 ? fopen(path, "r") : NULL;
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &total_pages, &resident_pages) != 2)
        resident_pages = 0;
    fclose(file);
    return (uint64_t)resident_pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- Latency histogram ---------------------------------------------------------------------- */

/* Log-linear: 128 buckets per power of two, so a percentile is off by less than 1 %. */
enum { HISTOGRAM_BITS = 7, HISTOGRAM_BUCKETS = 64 << HISTOGRAM_BITS };

typedef struct histogram {
    uint64_t counts[HISTOGRAM_BUCKETS];
    uint64_t total;
    uint64_t max_ns;
} histogram;

static inline unsigned histogram_shift(uint64_t value)
{
    int exponent = 63 - __builtin_clzll(value | 1);
    return exponent > HISTOGRAM_BITS ? (unsigned)(exponent - HISTOGRAM_BITS) : 0;
}

static inline void histogram_record(histogram *h, uint64_t ns)
{
    unsigned shift = histogram_shift(ns);
    h->counts[((uint64_t)shift << HISTOGRAM_BITS) + (ns >> shift)]++;
    h->total++;
    if (ns > h->max_ns)
        h->max_ns = ns;
}

/* The smallest recorded value (to the histogram's precision) that `share` of all don't exceed. */
static inline uint64_t histogram_percentile(const histogram *h, double share)
{
    uint64_t rank = (uint64_t)(share * (double)h->total + 0.999999), seen = 0;
    if (rank == 0)
        rank = 1;
    for (uint64_t bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
        seen += h->counts[bucket];
        if (seen < rank)
            continue;
        uint64_t shift = bucket >> HISTOGRAM_BITS;
        shift = shift > 0 ? shift - 1 : 0;
        uint64_t lowest = (bucket - (shift << HISTOGRAM_BITS)) << shift;
        uint64_t middle = lowest + (((uint64_t)1 << shift) >> 1);
        return middle < h->max_ns ? middle : h->max_ns;
    }
    return h->max_ns;
}

/* ---- Report --------------------------------------------------------------------------------- */

typedef struct run_report {
    const char *peer;       /* who was measured: "grpc-cpp", "limit" */
    const char *workload;   /* "create-session", "echo", ... */
    int connections;
    int in_flight;          /* per connection */
    uint64_t ok;            /* right answers inside the measured window */
    uint64_t failed;        /* wrong or missing answers, warm-up included */
    const histogram *latency;
    const char *extra_json; /* further members, each with a comma before it, or "" */

    /* Filled in by report_begin and report_end. */
    pid_t server_pid;
    uint64_t elapsed_ns;
    uint64_t server_cpu_ns;
    uint64_t client_cpu_ns;
    uint64_t server_rss_bytes;
} run_report;

/* Starts the measured window. */
static inline void report_begin(run_report *r, pid_t server_pid)
{
    r->server_pid = server_pid;
    r->server_cpu_ns = process_cpu_ns(server_pid);
    r->client_cpu_ns = own_cpu_ns();
    r->elapsed_ns = monotonic_ns();
}

/* Ends the measured window. */
static inline void report_end(run_report *r)
{
    r->elapsed_ns = monotonic_ns() - r->elapsed_ns;
    r->server_cpu_ns = process_cpu_ns(r->server_pid) - r->server_cpu_ns;
    r->client_cpu_ns = own_cpu_ns() - r->client_cpu_ns;
    r->server_rss_bytes = process_rss_bytes(r->server_pid);
}

static inline double per_call_us(uint64_t ns, uint64_t calls)
{
    return calls ? (double)ns / 1e3 / (double)calls : 0;
}

static inline void report_print(const run_report *r, bool json)
{
    double seconds = (double)r->elapsed_ns / 1e9;
    double rate = seconds > 0 ? (double)r->ok / seconds : 0;
    double server_us = per_call_us(r->server_cpu_ns, r->ok);
    double client_us = per_call_us(r->client_cpu_ns, r->ok);
    double server_busy = r->elapsed_ns ? (double)r->server_cpu_ns / (double)r->elapsed_ns : 0;
    double p50 = (double)histogram_percentile(r->latency, 0.5) / 1e3;
    double p90 = (double)histogram_percentile(r->latency, 0.9) / 1e3;
    double p99 = (double)histogram_percentile(r->latency, 0.99) / 1e3;
    double p99_9 = (double)histogram_percentile(r->latency, 0.999) / 1e3;
    double max = (double)r->latency->max_ns / 1e3;

    if (json) {
        printf("{\"peer\":\"%s\",\"workload\":\"%s\",\"connections\":%d,\"in_flight\":%d,"
               "\"seconds\":%.3f,\"ok\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"ok_per_second\":%.1f,"
               "\"latency_us\":{\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"p99_9\":%.1f,"
               "\"max\":%.1f},\"server_cpu_us_per_call\":%.3f,\"client_cpu_us_per_call\":%.3f,"
               "\"server_busy\":%.3f,\"server_rss_bytes\":%" PRIu64 "%s}\n",
               r->peer, r->workload, r->connections, r->in_flight, seconds, r->ok, r->failed, rate,
               p50, p90, p99, p99_9, max, server_us, client_us, server_busy, r->server_rss_bytes,
               r->extra_json);
    } else {
        printf("%s %s, %d connections x %d in flight: %.0f/s, p50 %.0f us, p99 %.0f us,"
               " server %.2f us/call (%.0f %% of a core), client %.2f us/call, RSS %.1f MiB,"
               " failed %" PRIu64 "\n",
               r->peer, r->workload, r->connections, r->in_flight, rate, p50, p99, server_us,
               server_busy * 100, client_us, (double)r->server_rss_bytes / 1048576, r->failed);
    }
}

#endif
