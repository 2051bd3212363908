import CLinux

/// The C library's allocator.
package enum Allocator {
    /// Makes glibc's allocator keep less of what decoders have freed. Two arenas for all threads, where it would have one a
    /// thread. Blocks of 4 MiB or more are always mapped on their own, and go back to the system when they are freed: glibc
    /// would raise that bound to the largest block that was freed, up to 32 MiB, and large pieces of pictures leave holes that
    /// nothing fills. A free end of an arena goes back from 1 MiB on.
    ///
    /// Before any thread is started. MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ and MALLOC_TRIM_THRESHOLD_ are overruled.
    /// docs/decisions, 0027 has the figures.
    package static func setUp() {
        clinux_set_up_malloc(2, 4 << 20, 1 << 20)
    }
}
