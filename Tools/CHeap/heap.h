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

/// Gives the free pages of all arenas back to the system. What is resident afterwards is what is in use. Returns false
/// where the C library keeps them.
static inline bool heap_give_back(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
    return true;
#else
    return false;
#endif
}

#endif
