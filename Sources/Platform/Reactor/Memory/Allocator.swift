import CLinux

package enum Allocator {
    /// Makes glibc keep less of what decoders freed: two arenas for all threads, blocks from 4 MiB on always mapped on their own (glibc
    /// would raise that bound, and large pieces leave holes that nothing fills), free ends of arenas go back from 8 MiB on, as images
    /// of one size follow each other. Call it before any thread starts. It overrules the MALLOC_ variables. Figures: docs/decisions,
    /// 0027.
    package static func setUp() { clinux_set_up_malloc(2, 4 << 20, 8 << 20) }

    /// Gives the pages of freed blocks back to the system, also between blocks in use. Takes milliseconds, during which others that
    /// allocate may wait.
    package static func giveBackFree() { clinux_trim_malloc() }
}
