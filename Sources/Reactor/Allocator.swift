import CLinux

/// The C library's allocator.
package enum Allocator {
    /// Lets all threads share `count` arenas: with one arena a thread, glibc keeps much of what decoders have freed. Before
    /// any thread is started; MALLOC_ARENA_MAX does the same from outside.
    package static func limitArenas(to count: Int) {
        clinux_limit_malloc_arenas(Int32(clamping: count))
    }
}
