#define _GNU_SOURCE
#include "raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t get_u64(const void *at) {
    uint64_t value;
    memcpy(&value, at, 8);
    return __builtin_bswap64(value);
}

static uint64_t id_of(const MDB_val *key) { return get_u64((char *)key->mv_data + key->mv_size - 8); }

static raw_object *make_object(uint64_t id, const MDB_val *value) {
    raw_object *object = malloc(sizeof *object);
    if (!object) return NULL;
    raw_record record;
    memcpy(&record, value->mv_data, sizeof record);
    const char *text = (const char *)value->mv_data + sizeof record;
    size_t place_length = value->mv_size - sizeof record - RAW_CODE_LENGTH - RAW_DAY_LENGTH;
    object->id = id;
    object->magnitude = record.magnitude;
    object->time = record.time;
    object->felt = record.felt;
    object->has_felt = record.has_felt;
    object->tsunami = record.tsunami;
    memcpy(object->code, text, RAW_CODE_LENGTH);
    object->code[RAW_CODE_LENGTH] = 0;
    memcpy(object->day, text + RAW_CODE_LENGTH, RAW_DAY_LENGTH);
    object->day[RAW_DAY_LENGTH] = 0;
    object->place = malloc(place_length + 1);
    if (!object->place) {
        free(object);
        return NULL;
    }
    memcpy(object->place, text + RAW_CODE_LENGTH + RAW_DAY_LENGTH, place_length);
    object->place[place_length] = 0;
    return object;
}

void raw_free_objects(raw_object **objects, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (objects[i]) free(objects[i]->place);
        free(objects[i]);
    }
}

static int get(raw_store *store, uint64_t id, raw_object **object) {
    MDB_val key = {sizeof id, &id}, value;
    int code = mdb_get(store->reader, store->records, &key, &value);
    if (code) return code;
    *object = make_object(id, &value);
    return *object ? 0 : ENOMEM;
}

int raw_get(raw_store *store, const uint64_t *ids, size_t count, raw_object **objects) {
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) code = get(store, ids[i], &objects[i]);
    mdb_txn_reset(store->reader);
    return code;
}

int raw_get_each(raw_store *store, const uint64_t *ids, size_t count, raw_object **objects) {
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) code = raw_get(store, &ids[i], 1, &objects[i]);
    return code;
}

int raw_count(raw_store *store, size_t *count) {
    MDB_stat stat;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    code = mdb_stat(store->reader, store->records, &stat);
    mdb_txn_reset(store->reader);
    *count = stat.ms_entries;
    return code;
}

/* A walk over a database: the transaction and the cursor, and the entry that it is at. */
typedef struct {
    raw_store *store;
    MDB_cursor *cursor;
    MDB_val key, value;
} walk;

static int walk_begin(walk *walk, raw_store *store, MDB_dbi database) {
    walk->store = store;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    code = mdb_cursor_open(store->reader, database, &walk->cursor);
    if (code) mdb_txn_reset(store->reader);
    return code;
}

/* Ends the walk; reaching the end of the database is no failure. */
static int walk_end(walk *walk, int code) {
    mdb_cursor_close(walk->cursor);
    mdb_txn_reset(walk->store->reader);
    return code == MDB_NOTFOUND ? 0 : code;
}

/* Moves to the first key of the time index in a range, whose end it leaves in `end`. */
static int walk_range(walk *walk, double lower, double upper, char *bounds) {
    raw_put_double(bounds, lower);
    raw_put_double(bounds + 8, upper);
    walk->key = (MDB_val){8, bounds};
    return mdb_cursor_get(walk->cursor, &walk->key, &walk->value, MDB_SET_RANGE);
}

static int is_below(const walk *walk, const char *end) { return memcmp(walk->key.mv_data, end, 8) < 0; }

static int walk_move(walk *walk, MDB_cursor_op operation) {
    return mdb_cursor_get(walk->cursor, &walk->key, &walk->value, operation);
}

int raw_range_objects(raw_store *store, double lower, double upper, raw_object **objects, size_t room, size_t *count) {
    char bounds[16];
    walk walk;
    int code = walk_begin(&walk, store, store->indexes[RAW_TIME]);
    if (code) return code;
    size_t found = 0;
    code = walk_range(&walk, lower, upper, bounds);
    while (!code && found < room && is_below(&walk, bounds + 8)) {
        if (!(code = get(store, id_of(&walk.key), &objects[found]))) {
            found++;
            code = walk_move(&walk, MDB_NEXT);
        }
    }
    *count = found;
    return walk_end(&walk, code);
}

int raw_range_ids(raw_store *store, double lower, double upper, uint64_t *ids, size_t room, size_t *count) {
    char bounds[16];
    walk walk;
    int code = walk_begin(&walk, store, store->indexes[RAW_TIME]);
    if (code) return code;
    size_t found = 0;
    code = walk_range(&walk, lower, upper, bounds);
    while (!code && found < room && is_below(&walk, bounds + 8)) {
        ids[found++] = id_of(&walk.key);
        code = walk_move(&walk, MDB_NEXT);
    }
    *count = found;
    return walk_end(&walk, code);
}

int raw_range_count(raw_store *store, double lower, double upper, size_t *count) {
    char bounds[16];
    walk walk;
    int code = walk_begin(&walk, store, store->indexes[RAW_TIME]);
    if (code) return code;
    size_t found = 0;
    code = walk_range(&walk, lower, upper, bounds);
    while (!code && is_below(&walk, bounds + 8)) {
        found++;
        code = walk_move(&walk, MDB_NEXT);
    }
    *count = found;
    return walk_end(&walk, code);
}

static uint64_t record_id(const walk *walk) {
    uint64_t id;
    memcpy(&id, walk->key.mv_data, 8);
    return id;
}

int raw_scan_objects(raw_store *store, raw_object **objects, size_t room, size_t *count) {
    walk walk;
    int code = walk_begin(&walk, store, store->records);
    if (code) return code;
    size_t found = 0;
    code = walk_move(&walk, MDB_FIRST);
    while (!code && found < room) {
        objects[found] = make_object(record_id(&walk), &walk.value);
        if (!objects[found]) {
            code = ENOMEM;
        } else {
            found++;
            code = walk_move(&walk, MDB_NEXT);
        }
    }
    *count = found;
    return walk_end(&walk, code);
}

int raw_scan_magnitudes(raw_store *store, double *sum) {
    walk walk;
    int code = walk_begin(&walk, store, store->records);
    if (code) return code;
    double total = 0, magnitude;
    code = walk_move(&walk, MDB_FIRST);
    while (!code) {
        memcpy(&magnitude, (char *)walk.value.mv_data + offsetof(raw_record, magnitude), 8);
        total += magnitude;
        code = walk_move(&walk, MDB_NEXT);
    }
    *sum = total;
    return walk_end(&walk, code);
}

int raw_filter(raw_store *store, double magnitude, const char *text, uint64_t *ids, size_t room, size_t *count) {
    walk walk;
    int code = walk_begin(&walk, store, store->records);
    if (code) return code;
    size_t found = 0, text_length = strlen(text);
    const size_t place = sizeof(raw_record) + RAW_CODE_LENGTH + RAW_DAY_LENGTH;
    double value;
    code = walk_move(&walk, MDB_FIRST);
    while (!code && found < room) {
        const char *record = walk.value.mv_data;
        memcpy(&value, record + offsetof(raw_record, magnitude), 8);
        if (value >= magnitude && memmem(record + place, walk.value.mv_size - place, text, text_length))
            ids[found++] = record_id(&walk);
        code = walk_move(&walk, MDB_NEXT);
    }
    *count = found;
    return walk_end(&walk, code);
}

static int first_of(
    raw_store *store, int index, MDB_cursor_op first, MDB_cursor_op next, raw_object **objects, size_t limit,
    size_t *count
) {
    walk walk;
    int code = walk_begin(&walk, store, store->indexes[index]);
    if (code) return code;
    size_t found = 0;
    code = walk_move(&walk, first);
    while (!code && found < limit) {
        if (!(code = get(store, id_of(&walk.key), &objects[found]))) {
            if (++found < limit) code = walk_move(&walk, next);
        }
    }
    *count = found;
    return walk_end(&walk, code);
}

int raw_top(raw_store *store, raw_object **objects, size_t limit, size_t *count) {
    return first_of(store, RAW_MAGNITUDE, MDB_LAST, MDB_PREV, objects, limit, count);
}

int raw_first_by_time(raw_store *store, raw_object **objects, size_t limit, size_t *count) {
    return first_of(store, RAW_TIME, MDB_FIRST, MDB_NEXT, objects, limit, count);
}

int raw_sections(raw_store *store, raw_section *sections, size_t room, size_t *count) {
    walk walk;
    int code = walk_begin(&walk, store, store->indexes[RAW_DAY]);
    if (code) return code;
    size_t found = 0;
    code = walk_move(&walk, MDB_FIRST);
    while (!code) {
        if (!found || memcmp(sections[found - 1].title, walk.key.mv_data, RAW_DAY_LENGTH)) {
            if (found == room) break;
            memcpy(sections[found].title, walk.key.mv_data, RAW_DAY_LENGTH);
            sections[found].title[RAW_DAY_LENGTH] = 0;
            sections[found++].count = 0;
        }
        sections[found - 1].count++;
        code = walk_move(&walk, MDB_NEXT);
    }
    *count = found;
    return walk_end(&walk, code);
}
