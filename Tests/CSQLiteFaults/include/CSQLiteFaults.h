// A file system for SQLite in front of the default one: it counts syncs, and fails on demand.
#ifndef CSQLITE_FAULTS_H
#define CSQLITE_FAULTS_H

#include <stdint.h>

typedef struct csqlite_faults csqlite_faults;

// Registers a file system under a name that is new in the process. It lives as long as the process.
csqlite_faults *csqlite_faults_register(const char *name);

// Syncs of write-ahead logs so far.
int64_t csqlite_faults_log_syncs(csqlite_faults *faults);

// While on, syncs (writes) of write-ahead logs fail: as a broken disk (as a full one).
void csqlite_faults_fail_syncs(csqlite_faults *faults, int on);
void csqlite_faults_fill_disk(csqlite_faults *faults, int on);

#endif
