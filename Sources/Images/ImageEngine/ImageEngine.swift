import CVips
package import ImagePlan
import Synchronization

/// Reads, changes and writes pictures with libvips.
///
/// Decoding, orientation, filters and encoding are libvips'; resampling is our own (`Resampler`), because it is where
/// the time of a thumbnail can be won without losing quality. One picture is worked on by one thread from start to
/// end; libvips' operation cache is off, because the answers are cached above.
package enum ImageEngine {
    /// Starts libvips: once, from main, before any other thread. `program` is its name for messages.
    ///
    /// `enabling` names formats that are not read otherwise, because their decoders are large, or because what they
    /// describe costs more than its bytes tell: JPEG XL, PDF, SVG, BMP and ICO. The others are always read.
    package static func start(program: String, enabling: Set<SourceFormat> = []) throws(ImageError) {
        var error = unsafe cvips_error()
        guard unsafe cvips_start(program, &error) == 0 else { throw unsafe .startFailed(log: takeLog(&error)) }
        for format in enabling where !format.isAlwaysRead {
            if let loader = format.vips {
                guard cvips_has_loader(loader) != 0 else { continue }
                cvips_enable_loader(loader)
            }
            enabledFormats.bitwiseOr(1 << format.bit, ordering: .releasing)
        }
    }

    /// One bit per format that was enabled at the start.
    private static let enabledFormats = Atomic<UInt64>(0)

    /// Whether pictures of this format are read: always, or enabled at the start and known to this libvips.
    package static func canRead(_ format: SourceFormat) -> Bool {
        format.isAlwaysRead || enabledFormats.load(ordering: .acquiring) & (1 << format.bit) != 0
    }

    /// Whether the loaded libvips has an encoder for this format.
    package static func canWrite(_ format: OutputFormat) -> Bool {
        cvips_has_saver(format.vips) != 0
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

    /// The loaded libraries whose code decides what a picture looks like: libvips, codecs, color management, mathematics.
    ///
    /// In the order of their names, each as its file name and the build id that its linker left: another build of one, be
    /// it of the same version, has another line. What else the process has loaded makes no difference. After `start`, which
    /// loads the parts of libvips that are files of their own. Some 100 µs.
    package static var libraries: [String] {
        guard let text = unsafe cvips_libraries() else { return [] }
        defer { unsafe cvips_free(text) }
        return unsafe String(cString: text).split(separator: "\n").map(String.init)
    }

    /// Bytes that libvips holds for pixels right now, and how many pieces they are: for metrics and leak tests.
    package static var trackedMemory: TrackedMemory {
        TrackedMemory(byteCount: Int(cvips_tracked_bytes()), allocationCount: Int(cvips_tracked_allocations()))
    }
}

/// What libvips says about its own memory.
package struct TrackedMemory: Equatable, Sendable {
    /// Bytes held.
    package let byteCount: Int
    package let allocationCount: Int
}

extension SourceFormat {
    /// Whether the format needs no enabling.
    fileprivate var isAlwaysRead: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .avif, .heic, .tiff: true
        case .jxl, .pdf, .svg, .bmp, .ico: false
        }
    }

    /// The place of the format in the table of formats.
    fileprivate var bit: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
