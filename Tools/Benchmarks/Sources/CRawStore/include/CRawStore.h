/* The same work as the store's, written by hand over LMDB: what the library underneath allows.
 *
 * Databases: "records" (row id, integer key, to a record of about the size of Loam's) and four indexes of plain
 * composite keys with empty values: "time" (time, id), "day" (day, time, id), "magnitude" (magnitude, id) and
 * "code" (code, id). Numbers in keys are big endian with the usual flips, strings end with a zero byte.
 *
 * Functions return 0 or a code of LMDB's or errno. Not thread-safe. */
#ifndef CRAWSTORE_H
#define CRAWSTORE_H

#include <stddef.h>
#include <stdint.h>

#define RAW_CODE_LENGTH 10
#define RAW_DAY_LENGTH 10

typedef struct raw_store raw_store;

/* A row that is to be written. Strings are borrowed; code and day have exactly their lengths. */
typedef struct {
    uint64_t id;
    double magnitude;
    double time;
    int64_t felt;
    uint8_t has_felt;
    uint8_t tsunami;
    uint32_t place_length;
    const char *code;
    const char *day;
    const char *place;
} raw_row;

/* A row that was read: an object of its own, with its long string in memory of its own. */
typedef struct {
    uint64_t id;
    double magnitude;
    double time;
    int64_t felt;
    uint8_t has_felt;
    uint8_t tsunami;
    char code[16];
    char day[16];
    char *place;
} raw_object;

typedef struct {
    char title[16];
    uint64_t count;
} raw_section;

const char *raw_error(int code);

int raw_open(const char *path, raw_store **store);
void raw_close(raw_store *store);

/* All rows, ids ascending, into an empty store: keys sorted, everything appended, one durable commit. */
int raw_load(raw_store *store, const raw_row *rows, size_t count);
/* All rows with one durable commit; refuses a code that is there already. */
int raw_insert(raw_store *store, const raw_row *rows, size_t count);
/* Changes a row's magnitude, in its record and in the index, with one durable commit. */
int raw_set_magnitude(raw_store *store, uint64_t id, double magnitude);
int raw_count(raw_store *store, size_t *count);

/* Reads; each in a read transaction of its own, which is renewed, not begun. */
int raw_get(raw_store *store, const uint64_t *ids, size_t count, raw_object **objects);
/* As raw_get, with a transaction per id. */
int raw_get_each(raw_store *store, const uint64_t *ids, size_t count, raw_object **objects);
int raw_range_objects(raw_store *store, double lower, double upper, raw_object **objects, size_t room, size_t *count);
int raw_range_ids(raw_store *store, double lower, double upper, uint64_t *ids, size_t room, size_t *count);
int raw_range_count(raw_store *store, double lower, double upper, size_t *count);
int raw_scan_objects(raw_store *store, raw_object **objects, size_t room, size_t *count);
int raw_scan_magnitudes(raw_store *store, double *sum);
int raw_filter(
    raw_store *store, double magnitude, const char *text, uint64_t *ids, size_t room, size_t *count);
/* The rows of the greatest magnitudes, descending. */
int raw_top(raw_store *store, raw_object **objects, size_t limit, size_t *count);
int raw_first_by_time(raw_store *store, raw_object **objects, size_t limit, size_t *count);
int raw_sections(raw_store *store, raw_section *sections, size_t room, size_t *count);

void raw_free_objects(raw_object **objects, size_t count);

#endif
