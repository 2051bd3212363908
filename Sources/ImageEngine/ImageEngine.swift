import CVips

/// Reads, changes and writes pictures with libvips.
///
/// Decoding, orientation, filters and encoding are libvips'; resampling is our own (`Resampler`), because it is where
/// the time of a thumbnail can be won without losing likeness. One picture is worked on by one thread from start to
/// end; libvips' operation cache is off, because the answers are cached above.
package enum ImageEngine {
    /// Starts libvips: once, from main, before any other thread. `program` is its name for messages.
    package static func start(program: String) throws(ImageError) {
        var error = unsafe cvips_error()
        guard unsafe cvips_start(program, &error) == 0 else { throw unsafe .startFailed(log: takeLog(&error)) }
    }

    /// Releases what libvips keeps for the calling thread; the last thing that a worker does.
    package static func threadWillExit() {
        cvips_thread_exit()
    }

    /// Ends libvips, after the last worker has been joined.
    package static func shutdown() {
        cvips_shutdown()
    }

    /// The version of the libvips that is loaded, such as `8.14.1`.
    package static var version: String {
        guard let text = unsafe cvips_version() else { return "" }
        return unsafe String(cString: text)
    }

    /// The loaded libraries whose code decides what a picture looks like: libvips, codecs, colour management, mathematics.
    ///
    /// In the order of their names, each as its file name and the build id that its linker left: another build of one, be
    /// it of the same version, has another line. What else the process has loaded makes no difference. After `start`, which
    /// loads the parts of libvips that are files of their own. Some 100 µs.
    package static var libraries: [String] {
        guard let text = unsafe cvips_libraries() else { return [] }
        defer { unsafe cvips_free(text) }
        return unsafe String(cString: text).split(separator: "\n").map(String.init)
    }

    /// Octets that libvips holds for pixels right now, and how many pieces they are: for metrics and leak tests.
    package static var trackedMemory: TrackedMemory {
        TrackedMemory(byteCount: Int(cvips_tracked_bytes()), allocationCount: Int(cvips_tracked_allocations()))
    }
}

/// What libvips says about its own memory.
package struct TrackedMemory: Equatable, Sendable {
    /// Octets held.
    package let byteCount: Int
    /// Pieces held.
    package let allocationCount: Int
}
