#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stddef.h>

/// Blocks that the calling thread has taken from the heap since it began. Exact: every way into glibc's heap counts.
size_t allocation_count(void);

/// False in a program under a sanitizer, which has a heap of its own.
bool allocation_count_is_exact(void);

#endif
