import CVips
import Glibc
import ImagePlan
import Testing

@testable import ImageEngine

/// Samples of a small picture, and what filters make of them.
struct FilterSubject: Equatable {
    let widthPx: Int
    let heightPx: Int
    /// With alpha.
    let bands: Int
    let isWide: Bool
    var samples: [Int]

    /// A picture of `color`, whose samples are the bands of a pixel: 1 and 3 without, 2 and 4 with alpha.
    init(_ widthPx: Int, _ heightPx: Int, isWide: Bool = false, _ color: (Int, Int) -> [Int]) {
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.isWide = isWide
        samples = (0..<heightPx).flatMap { y in (0..<widthPx).flatMap { x in color(x, y) } }
        bands = samples.count / (widthPx * heightPx)
    }

    init(_ image: borrowing VipsImage) throws {
        widthPx = image.widthPx
        heightPx = image.heightPx
        bands = image.bands
        isWide = !image.is8Bit
        let memory = try #require(cvips_memory(image.raw))
        let count = image.widthPx * image.heightPx * image.bands
        samples =
            image.is8Bit
            ? UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count).map(Int.init)
            : UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt16.self), count: count).map(Int.init)
    }

    private var hasAlpha: Bool { bands % 2 == 0 }

    /// What a sample is at most.
    var limit: Int { isWide ? 65535 : 255 }

    /// The picture as the engine sees it.
    func image() throws -> VipsImage {
        try engineStart.get()
        let memory = try #require(malloc(samples.count * 2))
        for (index, sample) in samples.enumerated() {
            if isWide {
                memory.storeBytes(of: UInt16(sample), toByteOffset: index * 2, as: UInt16.self)
            } else {
                memory.storeBytes(of: UInt8(sample), toByteOffset: index, as: UInt8.self)
            }
        }
        var shape = cvips_pixels(
            width: Int32(widthPx), height: Int32(heightPx), bands: Int32(bands), has_alpha: hasAlpha ? 1 : 0,
            is_wide: isWide ? 1 : 0)
        var (out, error) = (OpaquePointer?.none, cvips_error())
        #expect(cvips_adopt_samples(memory, &shape, bands < 3 ? CVIPS_GREY : CVIPS_RGB, &out, &error) == 0)
        return VipsImage(adopting: try #require(out))
    }

    /// After `filters`.
    func after(
        _ filters: ImageFilter..., shouldStop: @escaping @Sendable () -> Bool = { false }
    ) throws -> FilterSubject {
        try after(filters, shouldStop: shouldStop)
    }

    /// After `filters`.
    func after(
        _ filters: [ImageFilter], shouldStop: @escaping @Sendable () -> Bool = { false }
    ) throws -> FilterSubject {
        try FilterSubject(Filters.apply(filters, to: image(), in: RenderContext(shouldStop: shouldStop)))
    }

    subscript(x: Int, y: Int) -> [Int] {
        let start = (y * widthPx + x) * bands
        return Array(samples[start..<(start + bands)])
    }

    /// The samples of one band, in rows.
    func band(_ band: Int) -> [Int] { stride(from: band, to: samples.count, by: bands).map { samples[$0] } }

    /// The samples of alpha; empty where there is none.
    var alpha: [Int] { hasAlpha ? band(bands - 1) : [] }

    /// Every sample times 257.
    var widened: FilterSubject {
        FilterSubject(widthPx, heightPx, isWide: true) { x, y in self[x, y].map { $0 * 257 } }
    }

    /// The first band alone, and alpha where there is some.
    var grey: FilterSubject {
        FilterSubject(widthPx, heightPx, isWide: isWide) { x, y in
            hasAlpha ? [self[x, y][0], self[x, y][bands - 1]] : [self[x, y][0]]
        }
    }

    /// Luma of every pixel, 0–`limit`.
    var luma: [Double] {
        stride(from: 0, to: samples.count, by: bands).map { at in
            bands < 3
                ? Double(samples[at])
                : 0.2126 * Double(samples[at]) + 0.7152 * Double(samples[at + 1]) + 0.0722 * Double(samples[at + 2])
        }
    }

    /// Smooth and rough areas in many colors.
    static func scene(_ widthPx: Int = 53, _ heightPx: Int = 37) -> FilterSubject {
        FilterSubject(widthPx, heightPx) { x, y in
            [(x * 4 + y) % 256, (y * 5 + (x / 7) * 30) % 256, (x * y / 3 + (x % 3) * 40) % 256]
        }
    }

    /// The same, seen through.
    static func veiled(_ widthPx: Int = 53, _ heightPx: Int = 37) -> FilterSubject {
        let scene = scene(widthPx, heightPx)
        return FilterSubject(widthPx, heightPx) { x, y in scene[x, y] + [max(0, min(255, (x - 8) * 7))] }
    }
}
