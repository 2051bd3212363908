import Bytes
import Colors
import Foundation
import ImageEngine
import ImagePlan
import Logging
import Parameters
import Raster
import Reactor
import Resources
import ServiceConfiguration
import TestSupport

@testable import VedutaService

/// What the goldens show: pictures that our own painter and rasteriser draw, the same on every machine.
enum Subjects {
    /// The world that is built in.
    static let world = Result { try studio(Configuration()) }

    /// The sample city in the built-in styles.
    static let city = Result {
        var configuration = Configuration()
        configuration.mapArchive =
            SharedData.packageRoot.appending(path: "Sources/Platform/CResources/city.pmtiles").path
        return try studio(configuration)
    }

    /// Florence in a style with labels, whose glyphs lie beside it.
    static let streets = Result {
        var configuration = Configuration()
        let maps = SharedData.folder.appending(path: "maps").path
        configuration.mapArchive = maps + "/firenze.pmtiles"
        configuration.mapStyle = maps + "/styles/bench.json"
        configuration.mapFiles = maps
        return try studio(configuration)
    }

    /// Florence in the built-in styles. Their names are set in glyphs that lie beside the archive, so that the fonts of the
    /// machine have no part in them.
    static let town = Result {
        var configuration = Configuration()
        let maps = SharedData.folder.appending(path: "maps").path
        configuration.mapArchive = maps + "/firenze.pmtiles"
        configuration.mapFiles = maps
        let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func source(_ style: SharedBytes, _ name: String) throws -> MapService {
            let text = style.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                .replacing("Noto Sans Italic", with: "Noto Sans Regular")
                .replacing(#"{"version":8,"#, with: #"{"version":8,"glyphs":"fonts/{fontstack}/{range}.pbf","#)
            let file = folder.appending(path: name + ".json")
            try Data(text.utf8).write(to: file)
            configuration.mapStyle = file.path
            return try studio(configuration)
        }
        return try [
            "light": source(Resources.lightStyle, "light"), "dark": source(Resources.darkStyle, "dark"),
        ]
    }

    private static func studio(_ configuration: Configuration) throws -> MapService {
        let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        return MapService(
            configuration, try OpenedService.openMaps(configuration, log), metrics: ServiceMetrics(), log: log)
    }

    private static let scene = Result { try encoded(painted { $0.paintView(.morning) }, .png) }
    private static let sceneJPEG = Result { try encoded(painted { $0.paintView(.morning) }, .jpeg) }
    private static let badge = Result {
        var painter = SamplePainter(widthPx: 160, heightPx: 160, seed: 1)
        painter.paintBadge()
        return try encoded(Rasteriser.draw(painter.list, widthPx: 160, heightPx: 160, background: .transparent), .png)
    }

    /// The scene, small, between two even bars.
    private static let framed = Result {
        let request = try ImageRequest.parse(
            QueryItems.parse("id=x&width=120&height=120&fit=contain&background=336699"))
        return try ImageEngine.render(
            RenderSources(SharedBytes(scene.get())), request: request, accepting: Acceptance(only: .png),
            in: RenderContext()
        ).content
    }

    struct Unknown: Error { let subject: String }

    /// The source picture that `subject` names.
    static func source(_ subject: String) throws -> SharedBytes {
        switch subject {
        case "scene": return SharedBytes(try scene.get())
        case "badge": return SharedBytes(try badge.get())
        case "framed": return try framed.get()
        case _ where subject.hasPrefix("scene-exif-"):
            guard let orientation = UInt8(subject.dropFirst(11)) else { throw Unknown(subject: subject) }
            return SharedBytes(withOrientation(orientation, try sceneJPEG.get()))
        default: throw Unknown(subject: subject)
        }
    }

    /// Encodes opaque or premultiplied pixels as PNG.
    static func png(_ pixels: [UInt8], widthPx: Int, heightPx: Int) throws -> [UInt8] {
        try RunningService.prepare()
        let content = try ImageEngine.encode(
            rgba: SharedBytes(pixels), widthPx: widthPx, heightPx: heightPx, output: .png, quality: nil,
            shouldStop: { false })
        return content.withUnsafeBytes { Array($0) }
    }

    private static func painted(_ paint: (inout SamplePainter) -> Void) throws -> PixelBuffer {
        var painter = SamplePainter(widthPx: 240, heightPx: 160, seed: 19)
        paint(&painter)
        return try Rasteriser.draw(painter.list, widthPx: 240, heightPx: 160, background: Color(rgb: 0))
    }

    private static func encoded(_ picture: PixelBuffer, _ output: OutputFormat) throws -> [UInt8] {
        try RunningService.prepare()
        let content = try ImageEngine.encode(
            rgba: picture.pixels, widthPx: picture.widthPx, heightPx: picture.heightPx, output: output, quality: 95,
            shouldStop: { false })
        return content.withUnsafeBytes { Array($0) }
    }

    /// `jpeg` with an EXIF segment that has the orientation and nothing else.
    private static func withOrientation(_ orientation: UInt8, _ jpeg: [UInt8]) -> [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let exif = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
        return jpeg.prefix(2) + [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif + jpeg.dropFirst(2)
    }
}

extension Subjects {
    /// Hills below a sky, in place of the photographs of cards.
    static func landscape(_ size: PixelSize) -> Texture? {
        let (width, height) = (Double(size.widthPx), Double(size.heightPx))
        var list = DisplayList()
        func ring(_ points: [(Double, Double)]) -> Path {
            var path = Path()
            path.addRing(points.map { FixedPoint(x: Int32($0.0 * width * 256), y: Int32($0.1 * height * 256)) })
            return path
        }
        let sky = [0x1d4e89, 0x5fa8d3, 0xf6c89f, 0xf7a072].map { Color(rgb: $0) }
        list.fill(
            ring([(0, 0), (1, 0), (1, 1), (0, 1)]), .nonZero,
            .gradient(GradientPaint(from: [0, 0], to: [0, height * 0.8], colors: sky)))
        let hills: [(UInt32, [(Double, Double)])] = [
            (0x7c6f9b, [(0, 0.62), (0.3, 0.42), (0.55, 0.6), (0.8, 0.48), (1, 0.6), (1, 1), (0, 1)]),
            (0x4a4e7d, [(0, 0.78), (0.2, 0.7), (0.45, 0.74), (0.7, 0.6), (1, 0.76), (1, 1), (0, 1)]),
            (0x22223b, [(0, 0.84), (0.35, 0.9), (0.6, 0.82), (1, 0.92), (1, 1), (0, 1)]),
        ]
        for (rgb, points) in hills { list.fill(ring(points), .nonZero, .color(Color(rgb: rgb))) }
        let drawn = try? Rasteriser.draw(list, widthPx: size.widthPx, heightPx: size.heightPx, background: .white)
        return drawn.flatMap {
            Texture(widthPx: size.widthPx, heightPx: size.heightPx, format: .rgba, texels: $0.pixels)
        }
    }
}
