// SQLite and the parts of its interface that Swift can't import: macros with casts, variadic calls.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// Bind text or a blob that SQLite copies. No address means empty here, not NULL.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                    sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                    sqlite3_uint64 length) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

#endif
