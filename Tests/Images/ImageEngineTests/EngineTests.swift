import Bytes
import Glibc
import ImagePlan
import Parameters
import TestPlaces
import Testing

@testable import ImageEngine

/// All tests of the engine, one after another: some of them read counters of the whole process.
@Suite(.timeLimit(.minutes(5)), .serialized) enum EngineTests {}

/// libvips started once for the test process.
let engineStart: Result<Void, ImageError> = {
    do throws(ImageError) {
        return .success(try ImageEngine.start(program: "ImageEngineTests", enabling: Set(SourceFormat.allCases)))
    } catch {
        return .failure(error)
    }
}()

/// Runs `query` (without `id`) on `source`.
func render(
    _ source: SharedBytes, _ query: String = "", _ output: OutputFormat = .png, limits: ImageLimits = ImageLimits(),
    shouldStop: @escaping @Sendable () -> Bool = { false }
) throws -> RenderedImage {
    try engineStart.get()
    let request = try ImageRequest.parse(QueryItems.parse("id=x&" + query))
    return try ImageEngine.render(
        RenderSources(source), request: request, accepting: Acceptance(only: output),
        in: RenderContext(options: RenderOptions(limits: limits), shouldStop: shouldStop))
}

/// The error of rendering `source`, nil when it succeeds.
func renderError(
    _ source: SharedBytes, _ query: String = "width=20", limits: ImageLimits = ImageLimits(),
    shouldStop: @escaping @Sendable () -> Bool = { false }
) throws -> ImageError? {
    do {
        _ = try render(source, query, limits: limits, shouldStop: shouldStop)
        return nil
    } catch let error as ImageError {
        return error
    }
}

/// Encodes what `color` says for every pixel: premultiplied RGBA.
func picture(
    _ widthPx: Int, _ heightPx: Int, _ output: OutputFormat, quality: Int? = 95, _ color: (Int, Int) -> [UInt8]
) throws -> SharedBytes {
    try engineStart.get()
    var pixels: [UInt8] = []
    for y in 0..<heightPx { for x in 0..<widthPx { pixels += color(x, y) } }
    return try ImageEngine.encode(
        rgba: SharedBytes(pixels), widthPx: widthPx, heightPx: heightPx, output: output, quality: quality,
        shouldStop: { false })
}

let red: [UInt8] = [255, 0, 0, 255]
let green: [UInt8] = [0, 160, 0, 255]
let blue: [UInt8] = [0, 0, 255, 255]

/// Green with a red block at the top left and a blue one at the bottom right, each a quarter of the sides.
func corners(_ widthPx: Int = 64, _ heightPx: Int = 48, _ output: OutputFormat = .jpeg) throws -> SharedBytes {
    try picture(widthPx, heightPx, output) { x, y in
        if x < widthPx / 4, y < heightPx / 4 { return red }
        return x >= widthPx - widthPx / 4 && y >= heightPx - heightPx / 4 ? blue : green
    }
}

/// Something with detail everywhere.
func texture(_ widthPx: Int, _ heightPx: Int, _ output: OutputFormat) throws -> SharedBytes {
    try picture(widthPx, heightPx, output, quality: 80) { x, y in
        [UInt8((x &* 7 ^ y &* 3) & 255), UInt8((x &* y) & 255), UInt8((x + y) & 255), 255]
    }
}

extension VipsImage {
    /// How the pages of a tall image belong together, as its loader said.
    func frameTiming() -> FrameTiming {
        FrameTiming(
            delaysMs: Array(delaysMs.prefix(heightPx / pageHeightPx)), loopCount: loopCount, pageHeightPx: pageHeightPx)
    }
}

/// A decoded picture to look at.
struct Decoded {
    let widthPx: Int
    let heightPx: Int
    let bands: Int
    let samples: [UInt8]

    init(_ bytes: SharedBytes) throws {
        try engineStart.get()
        let source = try Source(bytes, limits: ImageLimits())
        try self.init(Source.load(bytes, source.header.format))
        withExtendedLifetime(bytes) {}
    }

    init(_ source: consuming VipsImage) throws {
        let image = try source.readable()
        let rows = try RowSource(image)
        var samples: [UInt8] = []
        for y in 0..<image.heightPx {
            let strip = try rows.strip(left: 0, top: y, width: image.widthPx, height: 1)
            samples += UnsafeBufferPointer(start: strip.first, count: image.widthPx * image.bands)
        }
        self.widthPx = image.widthPx
        self.heightPx = image.heightPx
        self.bands = image.bands
        self.samples = samples
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * widthPx + x) * bands
        return Array(samples[start..<(start + bands)])
    }

    /// The mean of every band over a rectangle.
    func mean(_ rect: PixelRect) -> [Double] {
        var sums = [Double](repeating: 0, count: bands)
        for y in rect.y..<(rect.y + rect.heightPx) {
            for x in rect.x..<(rect.x + rect.widthPx) {
                for (band, value) in self[x, y].enumerated() { sums[band] += Double(value) }
            }
        }
        return sums.map { $0 / Double(rect.widthPx * rect.heightPx) }
    }

    /// Whether the middle of `rect` looks like `color`, within what JPEG does to it.
    func shows(_ color: [UInt8], in rect: PixelRect) -> Bool {
        let inner = PixelRect(
            x: rect.x + rect.widthPx / 4, y: rect.y + rect.heightPx / 4, widthPx: max(1, rect.widthPx / 2),
            heightPx: max(1, rect.heightPx / 2))
        return zip(mean(inner), color).allSatisfy { abs($0 - Double($1)) < 12 }
    }
}

/// `jpeg` with a segment before everything else.
func inserting(_ marker: UInt8, _ payload: [UInt8], into jpeg: SharedBytes) -> SharedBytes {
    let count = payload.count + 2
    let head: [UInt8] = [0xff, marker, UInt8(count >> 8), UInt8(count & 255)]
    let data = jpeg.array
    return SharedBytes(Array(data[..<2]) + head + payload + Array(data[2...]))
}

/// `jpeg` with EXIF that names an orientation and a camera.
func withOrientation(_ orientation: Int, _ jpeg: SharedBytes) -> SharedBytes {
    let tiff: [UInt8] =
        Array("Exif\0\0MM\0".utf8) + [42, 0, 0, 0, 8, 0, 2]
        + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(clamping: orientation), 0, 0]
        + [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38] + [0, 0, 0, 0]
        + [0, 1, 0, 1, 0, 2, 0, 0, 0, 2, UInt8(ascii: "N"), 0, 0, 0, 0, 0, 0, 0]
    return inserting(0xe1, tiff, into: jpeg)
}

/// A number of `count` bytes, the lowest first.
func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

/// A number of `count` bytes, the highest first.
func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

/// Test data outside the repository.
enum Shared {
    static let root = TestPlaces.sharedPath

    static let isPresent = access(root + "/images/MANIFEST.tsv", R_OK) == 0

    static func read(_ path: String) throws -> SharedBytes {
        let file = try #require(fopen("\(root)/\(path)", "rb"), "\(path)")
        defer { fclose(file) }
        var data: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { data += chunk[..<count] }
        return SharedBytes(data)
    }
}
