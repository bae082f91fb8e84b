#include "raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *raw_error(int code) { return mdb_strerror(code); }

int raw_open(const char *path, raw_store **result) {
    static const char *const names[RAW_INDEXES] = {"time", "day", "magnitude", "code"};
    raw_store *store = calloc(1, sizeof *store);
    if (!store) return ENOMEM;
    MDB_txn *txn = NULL;
    int code = mdb_env_create(&store->env);
    if (!code) code = mdb_env_set_mapsize(store->env, (size_t)16 << 30);
    if (!code) code = mdb_env_set_maxdbs(store->env, 16);
    if (!code) code = mdb_env_open(store->env, path, MDB_NOSUBDIR | MDB_NOTLS | MDB_NORDAHEAD, 0600);
    if (!code) code = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (!code) code = mdb_dbi_open(txn, "records", MDB_CREATE | MDB_INTEGERKEY, &store->records);
    for (int i = 0; i < RAW_INDEXES && !code; i++) code = mdb_dbi_open(txn, names[i], MDB_CREATE, &store->indexes[i]);
    if (!code) {
        code = mdb_txn_commit(txn);
    } else if (txn) {
        mdb_txn_abort(txn);
    }
    if (!code) code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &store->reader);
    if (!code) mdb_txn_reset(store->reader);
    if (code) {
        raw_close(store);
        return code;
    }
    *result = store;
    return 0;
}

void raw_close(raw_store *store) {
    if (!store) return;
    if (store->reader) mdb_txn_abort(store->reader);
    if (store->env) mdb_env_close(store->env);
    free(store);
}

static char *put_u64(char *at, uint64_t value) {
    value = __builtin_bswap64(value);
    memcpy(at, &value, 8);
    return at + 8;
}

char *raw_put_double(char *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return put_u64(at, bits >> 63 ? ~bits : bits | (uint64_t)1 << 63);
}

static char *put_text(char *at, const char *text, size_t length) {
    memcpy(at, text, length);
    at[length] = 0;
    return at + length + 1;
}

size_t raw_key(int index, const raw_row *row, char *key) {
    char *at = key;
    switch (index) {
    case RAW_TIME: at = raw_put_double(at, row->time); break;
    case RAW_DAY: at = raw_put_double(put_text(at, row->day, RAW_DAY_LENGTH), row->time); break;
    case RAW_MAGNITUDE: at = raw_put_double(at, row->magnitude); break;
    default: at = put_text(at, row->code, RAW_CODE_LENGTH); break;
    }
    return put_u64(at, row->id) - key;
}

size_t raw_record_size(const raw_row *row) {
    return sizeof(raw_record) + RAW_CODE_LENGTH + RAW_DAY_LENGTH + row->place_length;
}

void raw_write_record(const raw_row *row, char *at) {
    raw_record record = {0};
    record.magnitude = row->magnitude;
    record.time = row->time;
    record.felt = row->felt;
    record.has_felt = row->has_felt;
    record.tsunami = row->tsunami;
    memcpy(at, &record, sizeof record);
    at += sizeof record;
    memcpy(at, row->code, RAW_CODE_LENGTH);
    memcpy(at + RAW_CODE_LENGTH, row->day, RAW_DAY_LENGTH);
    memcpy(at + RAW_CODE_LENGTH + RAW_DAY_LENGTH, row->place, row->place_length);
}

static int insert_row(raw_store *store, MDB_txn *txn, const raw_row *row) {
    char bytes[RAW_LONGEST_KEY];
    MDB_val key = {sizeof row->id, (void *)&row->id};
    MDB_val value = {raw_record_size(row), NULL};
    int code = mdb_put(txn, store->records, &key, &value, MDB_RESERVE | MDB_NOOVERWRITE);
    if (code) return code;
    raw_write_record(row, value.mv_data);
    for (int i = 0; i < RAW_INDEXES && !code; i++) {
        key = (MDB_val){raw_key(i, row, bytes), bytes};
        value = (MDB_val){0, bytes};
        if (i == RAW_CODE) {
            MDB_cursor *cursor;
            MDB_val found = {RAW_CODE_LENGTH + 1, bytes};
            if ((code = mdb_cursor_open(txn, store->indexes[i], &cursor))) return code;
            code = mdb_cursor_get(cursor, &found, NULL, MDB_SET_RANGE);
            mdb_cursor_close(cursor);
            if (code && code != MDB_NOTFOUND) return code;
            if (!code && !memcmp(found.mv_data, bytes, RAW_CODE_LENGTH + 1)) return MDB_KEYEXIST;
        }
        code = mdb_put(txn, store->indexes[i], &key, &value, MDB_NOOVERWRITE);
    }
    return code;
}

int raw_insert(raw_store *store, const raw_row *rows, size_t count) {
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) code = insert_row(store, txn, &rows[i]);
    if (code) {
        mdb_txn_abort(txn);
        return code;
    }
    return mdb_txn_commit(txn);
}

static int set_magnitude(raw_store *store, MDB_txn *txn, uint64_t id, double magnitude) {
    MDB_val key = {sizeof id, &id}, found;
    int code = mdb_get(txn, store->records, &key, &found);
    if (code) return code;
    raw_record record;
    if (found.mv_size < sizeof record) return EINVAL;
    memcpy(&record, found.mv_data, sizeof record);
    char bytes[RAW_LONGEST_KEY];
    raw_row row = {.id = id, .magnitude = record.magnitude};
    MDB_val index = {raw_key(RAW_MAGNITUDE, &row, bytes), bytes}, value = {0, bytes};
    if ((code = mdb_del(txn, store->indexes[RAW_MAGNITUDE], &index, NULL))) return code;
    row.magnitude = magnitude;
    index.mv_size = raw_key(RAW_MAGNITUDE, &row, bytes);
    if ((code = mdb_put(txn, store->indexes[RAW_MAGNITUDE], &index, &value, MDB_NOOVERWRITE))) return code;
    char *changed = malloc(found.mv_size);
    if (!changed) return ENOMEM;
    memcpy(changed, found.mv_data, found.mv_size);
    record.magnitude = magnitude;
    memcpy(changed, &record, sizeof record);
    value = (MDB_val){found.mv_size, changed};
    code = mdb_put(txn, store->records, &key, &value, 0);
    free(changed);
    return code;
}

int raw_set_magnitude(raw_store *store, uint64_t id, double magnitude) {
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (code) return code;
    if ((code = set_magnitude(store, txn, id, magnitude))) {
        mdb_txn_abort(txn);
        return code;
    }
    return mdb_txn_commit(txn);
}

/* An index key as words that compare as it does, for the radix sort. The id need not take part: rows come in its
 * order, and the sort is stable. */
typedef struct {
    uint64_t words[3];
    size_t row;
} sort_entry;

static size_t sort_words(int index) {
    return index == RAW_DAY ? 3 : index == RAW_CODE ? 2 : 1;
}

static void fill_words(int index, const raw_row *row, uint64_t words[3]) {
    char key[RAW_LONGEST_KEY + 8] = {0};
    size_t length = raw_key(index, row, key) - 8;
    memset(key + length, 0, 8);
    for (size_t i = 0; i < sort_words(index); i++) {
        memcpy(&words[i], key + 8 * i, 8);
        words[i] = __builtin_bswap64(words[i]);
    }
}

/* Sorts by the words, the first weighing most, from the last digit on; passes whose digit never differs are left out. */
static sort_entry *radix_sort(sort_entry *from, sort_entry *to, size_t count, size_t words) {
    for (size_t word = words; word-- > 0;) {
        uint64_t all = ~(uint64_t)0, any = 0;
        for (size_t i = 0; i < count; i++) {
            all &= from[i].words[word];
            any |= from[i].words[word];
        }
        for (int shift = 0; shift < 64; shift += 11) {
            if (!((all ^ any) >> shift & 2047)) continue;
            size_t starts[2049] = {0};
            for (size_t i = 0; i < count; i++) starts[(from[i].words[word] >> shift & 2047) + 1]++;
            for (size_t digit = 0; digit < 2048; digit++) starts[digit + 1] += starts[digit];
            for (size_t i = 0; i < count; i++) to[starts[from[i].words[word] >> shift & 2047]++] = from[i];
            sort_entry *other = from;
            from = to;
            to = other;
        }
    }
    return from;
}

static int load_records(raw_store *store, MDB_txn *txn, const raw_row *rows, size_t count) {
    MDB_cursor *cursor;
    int code = mdb_cursor_open(txn, store->records, &cursor);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        MDB_val key = {sizeof rows[i].id, (void *)&rows[i].id};
        MDB_val value = {raw_record_size(&rows[i]), NULL};
        code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND | MDB_RESERVE);
        if (!code) raw_write_record(&rows[i], value.mv_data);
    }
    mdb_cursor_close(cursor);
    return code;
}

static int load_index(
    raw_store *store, MDB_txn *txn, int index, const raw_row *rows, size_t count, sort_entry *memory
) {
    for (size_t i = 0; i < count; i++) {
        fill_words(index, &rows[i], memory[i].words);
        memory[i].row = i;
    }
    sort_entry *sorted = radix_sort(memory, memory + count, count, sort_words(index));
    MDB_cursor *cursor;
    int code = mdb_cursor_open(txn, store->indexes[index], &cursor);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        if (index == RAW_CODE && i > 0 && !memcmp(sorted[i].words, sorted[i - 1].words, 16)) code = MDB_KEYEXIST;
        char bytes[RAW_LONGEST_KEY];
        MDB_val key = {raw_key(index, &rows[sorted[i].row], bytes), bytes};
        MDB_val value = {0, bytes};
        if (!code) code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
    }
    mdb_cursor_close(cursor);
    return code;
}

int raw_load(raw_store *store, const raw_row *rows, size_t count) {
    sort_entry *memory = malloc(2 * count * sizeof *memory);
    if (!memory) return ENOMEM;
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (!code) {
        code = load_records(store, txn, rows, count);
        for (int i = 0; i < RAW_INDEXES && !code; i++) code = load_index(store, txn, i, rows, count, memory);
        if (code) {
            mdb_txn_abort(txn);
        } else {
            code = mdb_txn_commit(txn);
        }
    }
    free(memory);
    return code;
}
