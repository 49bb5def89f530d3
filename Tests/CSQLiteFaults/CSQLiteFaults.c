#include "CSQLiteFaults.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct csqlite_faults {
  sqlite3_vfs vfs;
  sqlite3_vfs *real;
  _Atomic int64_t log_syncs;
  _Atomic int fails_syncs;
  _Atomic int is_disk_full;
};

typedef struct {
  sqlite3_file base;
  csqlite_faults *faults;
  int is_log;
  // The real file follows.
} fault_file;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((fault_file *)file + 1); }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  fault_file *own = (fault_file *)file;
  if (own->is_log && atomic_load(&own->faults->is_disk_full)) return SQLITE_FULL;
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  fault_file *own = (fault_file *)file;
  if (own->is_log) {
    if (atomic_load(&own->faults->fails_syncs)) return SQLITE_IOERR_FSYNC;
    atomic_fetch_add(&own->faults->log_syncs, 1);
  }
  return real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_check(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int file_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **result) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, result);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_unmap(sqlite3_file *file, int removes) {
  return real(file)->pMethods->xShmUnmap(real(file), removes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  csqlite_faults *faults = vfs->pAppData;
  fault_file *own = (fault_file *)file;
  memset(file, 0, (size_t)vfs->szOsFile);
  own->faults = faults;
  own->is_log = (flags & SQLITE_OPEN_WAL) != 0;
  int code = faults->real->xOpen(faults->real, name, real(file), flags, out);
  if (code == SQLITE_OK) own->base.pMethods = &methods;
  return code;
}

csqlite_faults *csqlite_faults_register(const char *name) {
  csqlite_faults *faults = calloc(1, sizeof *faults);
  if (!faults) return NULL;
  faults->real = sqlite3_vfs_find(NULL);
  // All but opening a file is the default file system's own.
  faults->vfs = *faults->real;
  faults->vfs.zName = strdup(name);
  faults->vfs.szOsFile = (int)sizeof(fault_file) + faults->real->szOsFile;
  faults->vfs.pAppData = faults;
  faults->vfs.pNext = NULL;
  faults->vfs.xOpen = open_file;
  if (sqlite3_vfs_register(&faults->vfs, 0) != SQLITE_OK) {
    free(faults);
    return NULL;
  }
  return faults;
}

int64_t csqlite_faults_log_syncs(csqlite_faults *faults) { return atomic_load(&faults->log_syncs); }

void csqlite_faults_fail_syncs(csqlite_faults *faults, int on) {
  atomic_store(&faults->fails_syncs, on);
}

void csqlite_faults_fill_disk(csqlite_faults *faults, int on) {
  atomic_store(&faults->is_disk_full, on);
}
