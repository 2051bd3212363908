import CVips
package import ImagePlan
import Synchronization

/// Reads, changes and writes images with libvips. Resampling is our own (`Resampler`). One thread works on one image
/// from start to end; libvips' operation cache is off, because responses are cached above.
package enum ImageEngine {
    /// Starts libvips: once, from main, before any other thread. `program` is its name for messages. `enabling` names
    /// formats with large decoders or hidden costs: JPEG XL, PDF, SVG, BMP and ICO. The others are always read.
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

    private static let enabledFormats = Atomic<UInt64>(0)

    /// Whether this format is read: always, or enabled at the start and known to this libvips.
    package static func canRead(_ format: SourceFormat) -> Bool {
        format.isAlwaysRead || enabledFormats.load(ordering: .acquiring) & (1 << format.bit) != 0
    }

    package static func canWrite(_ format: OutputFormat) -> Bool { cvips_has_saver(format.vips) != 0 }

    /// Releases what libvips keeps for the calling thread; the last call of a worker.
    package static func threadWillExit() { cvips_thread_exit() }

    /// Call after the last worker has been joined.
    package static func shutdown() { cvips_shutdown() }

    package static var version: String {
        guard let text = unsafe cvips_version() else { return "" }
        return unsafe String(cString: text)
    }

    /// The loaded libraries that affect pixels, sorted by name, each with its build id: another build of the same
    /// version differs. Call after `start`. Takes some 100 µs.
    package static var libraries: [String] {
        guard let text = unsafe cvips_libraries() else { return [] }
        defer { unsafe cvips_free(text) }
        return unsafe String(cString: text).split(separator: "\n").map(String.init)
    }

    package static var trackedMemory: TrackedMemory {
        TrackedMemory(byteCount: Int(cvips_tracked_bytes()), allocationCount: Int(cvips_tracked_allocations()))
    }
}

package struct TrackedMemory: Equatable, Sendable {
    package let byteCount: Int
    package let allocationCount: Int
}

extension SourceFormat {
    fileprivate var isAlwaysRead: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .avif, .heic, .tiff: true
        case .jxl, .pdf, .svg, .bmp, .ico: false
        }
    }

    fileprivate var bit: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
