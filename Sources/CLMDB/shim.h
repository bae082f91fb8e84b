#include <lmdb.h>

#ifdef __linux__
#include <linux/stat.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

// Of <unistd.h>, which would bring declarations here that belong to Swift's module of the C library.
extern long syscall(long number, ...);

/// Asks for the device and the inode of the file at a path, as `stat` numbers them, and for nothing else. The C library
/// declares `statx` for GNU sources only, which Swift's module of it is not.
///
/// Returns 0, or -1 with `errno`.
static inline int loam_file_identity(const char *path, uint64_t *device, uint64_t *inode) {
    const int current_folder = -100;  // AT_FDCWD
    struct statx status;
    if (syscall(SYS_statx, current_folder, path, 0, STATX_INO, &status) != 0) return -1;
    *device = makedev(status.stx_dev_major, status.stx_dev_minor);
    *inode = status.stx_ino;
    return 0;
}
#endif
