// SQLite and the parts of its interface that Swift can't import: macros with casts, variadic calls.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>
#include <stdint.h>

// Bind text or a blob. `copies`: SQLite makes a copy; else the bytes have to stay until the statement
// is reset. No address means empty here, not NULL.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                    sqlite3_uint64 length, int copies) {
  return sqlite3_bind_text64(statement, index, text ? text : "", length,
                             copies ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                    sqlite3_uint64 length, int copies) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", length,
                             copies ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

// Turns the counting of memory off, which takes a lock for each allocation. To be called before the
// first connection is opened; does nothing afterwards.
static inline void csqlite_leave_memory_uncounted(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Counts how often a connection has its files synced to the disk: the database and its write-ahead
// log, which has to be open by then.
typedef struct csqlite_sync_count csqlite_sync_count;

// Begins to count. NULL: there is no memory for it.
csqlite_sync_count *csqlite_count_syncs(sqlite3 *database);

// How often it was so far; from any thread.
uint64_t csqlite_syncs(const csqlite_sync_count *count);

// Gives the memory back, after the connection was closed.
void csqlite_forget_syncs(csqlite_sync_count *count);

#endif
