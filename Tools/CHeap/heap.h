// What the C library says of the heap. Swift's module of glibc has none of it, and could not take mallinfo2's structure
// from a symbol that is looked up.

#ifndef LOAM_HEAP_H
#define LOAM_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__linux__)
#include <malloc.h>
#endif

/// The bytes that are in use in all arenas, and in allocations that have pages of their own. Returns false where the C
/// library does not tell.
static inline bool heap_bytes_in_use(size_t *bytes) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    *bytes = info.uordblks + info.hblkhd;
    return true;
#else
    *bytes = 0;
    return false;
#endif
}

/// Lets the heap have no more than so many arenas from now on. Each keeps free memory of its own, so a server whose work
/// goes from thread to thread holds less with few. Does nothing where the C library has none.
static inline void heap_limit_arenas(int count) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, count);
#endif
}

#endif
