#ifndef RAW_H
#define RAW_H

#include "CRawStore.h"

#include <lmdb.h>

enum { RAW_TIME, RAW_DAY, RAW_MAGNITUDE, RAW_CODE, RAW_INDEXES };

#define RAW_LONGEST_KEY 32

struct raw_store {
    MDB_env *env;
    MDB_dbi records;
    MDB_dbi indexes[RAW_INDEXES];
    MDB_txn *reader;
};

/* A record's fixed part, unaligned in the file; code, day and place follow. The header stands for what Loam's records
 * carry: layout, entity, save number, checksum. */
typedef struct __attribute__((packed)) {
    char header[26];
    double magnitude;
    double time;
    int64_t felt;
    uint8_t has_felt;
    uint8_t tsunami;
    uint32_t ends[3];
} raw_record;

size_t raw_key(int index, const raw_row *row, char *key);
char *raw_put_double(char *at, double value);
size_t raw_record_size(const raw_row *row);
void raw_write_record(const raw_row *row, char *at);

#endif
