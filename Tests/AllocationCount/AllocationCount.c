// Stands in for glibc's functions that take memory, in the whole test program: counts, and hands on to glibc's own.
//
// What was taken so is given back by glibc's free. Each thread has its count, in memory that lies there from the thread's
// start on, so counting takes no memory itself and no other thread's work is counted.

#define _GNU_SOURCE
#include "AllocationCount.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_OTHER_HEAP 1
#endif
#endif

#ifdef HAS_OTHER_HEAP

size_t allocation_count(void) { return 0; }

bool allocation_count_is_exact(void) { return false; }

#else

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread size_t count;

size_t allocation_count(void) { return count; }

bool allocation_count_is_exact(void) { return true; }

void *malloc(size_t size) {
    count += 1;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count += 1;
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count += 1;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count += 1;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count += 1;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    int before = errno;
    void *found = __libc_memalign(alignment, size);
    errno = before;
    count += 1;
    if (found == NULL) return ENOMEM;
    *block = found;
    return 0;
}

#endif
