#include "CSQLite.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// A file's functions with the one that syncs replaced. An open file of SQLite points to its
// functions, so that this one is found from the file.
typedef struct {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *original;
  csqlite_sync_count *owner;
} counted_methods;

struct csqlite_sync_count {
  _Atomic uint64_t syncs;
  counted_methods files[2];
};

static int counted_sync(sqlite3_file *file, int flags) {
  const counted_methods *counted = (const counted_methods *)file->pMethods;
  atomic_fetch_add_explicit(&counted->owner->syncs, 1, memory_order_relaxed);
  return counted->original->xSync(file, flags);
}

static void count_file(csqlite_sync_count *count, counted_methods *counted, sqlite3_file *file) {
  if (!file || !file->pMethods) return;
  // Older interfaces have shorter structures.
  const int version = file->pMethods->iVersion;
  const size_t size = version >= 3   ? sizeof counted->methods
                      : version == 2 ? offsetof(sqlite3_io_methods, xFetch)
                                     : offsetof(sqlite3_io_methods, xShmMap);
  counted->original = file->pMethods;
  counted->owner = count;
  memcpy(&counted->methods, file->pMethods, size);
  counted->methods.xSync = counted_sync;
  file->pMethods = &counted->methods;
}

csqlite_sync_count *csqlite_count_syncs(sqlite3 *database) {
  csqlite_sync_count *count = calloc(1, sizeof *count);
  if (!count) return NULL;
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK)
    count_file(count, &count->files[0], file);
  file = NULL;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK)
    count_file(count, &count->files[1], file);
  return count;
}

uint64_t csqlite_syncs(const csqlite_sync_count *count) {
  return count ? atomic_load_explicit(&count->syncs, memory_order_relaxed) : 0;
}

void csqlite_forget_syncs(csqlite_sync_count *count) { free(count); }
