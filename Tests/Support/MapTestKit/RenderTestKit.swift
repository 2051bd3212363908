import Bytes
package import Foundation
import JSON
import MapRender
import MapStyle
import PNGCoding
import Raster

/// The public render tests below a folder: `<group>/<test>/style.json`, with what to draw in `metadata.test`.
package struct RenderTestKit: Sendable {
    package struct Test: Sendable {
        /// `group/test`.
        package var name: String
        package var folder: URL
    }

    package let folder: URL
    package let assets: URL
    private let resources: TestResources
    private let engine: MapEngine

    package init(folder: String, assets: String) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        self.assets = URL(fileURLWithPath: assets, isDirectory: true)
        resources = TestResources(assets: self.assets)
        // As the reference does, what glyphs lack is left out.
        engine = MapEngine(resources: resources, fillsGlyphGaps: false)
    }

    /// All tests, in the order of their names.
    package func tests() throws -> [Test] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.filter { $0.hasSuffix("/style.json") }.sorted().map { path in
            let name = String(path.dropLast("/style.json".count))
            return Test(name: name, folder: folder.appendingPathComponent(name))
        }
    }

    package func render(_ test: Test) throws -> Data {
        let bytes = [UInt8](try Data(contentsOf: test.folder.appendingPathComponent("style.json")))
        let json = try JSONReader.read(bytes)
        let style = try Style.read(json)
        let options = json["metadata"]?["test"]
        var camera = Camera(
            longitude: style.center?.first ?? 0, latitude: style.center?.last ?? 0, zoom: style.zoom ?? 0,
            width: options?["width"]?.number ?? 512, height: options?["height"]?.number ?? 512)
        camera.pixelRatio = min(
            options?["pixelRatio"]?.number ?? 1, Self.canvasSideLimit / camera.width,
            Self.canvasSideLimit / camera.height)
        camera.bearing = style.bearing
        camera.pitch = style.pitch
        camera.roll = style.roll
        let map = try engine.render(style, camera, additions: additions(options))
        let report = Report(
            widthPx: options?["reportWidth"]?.number.map { Int($0) } ?? map.widthPx,
            heightPx: options?["reportHeight"]?.number.map { Int($0) } ?? map.heightPx)
        guard let png = Self.png(map, report) else { throw TrialError.notEncoded }
        return png
    }

    /// What the test sets on its map.
    private func additions(_ options: JSONValue?) throws -> MapAdditions {
        var additions = MapAdditions()
        for image in options?["images"]?.elements ?? [] {
            guard let name = image["id"]?.text, let path = image["path"]?.text,
                let bytes = try resources.bytes(at: "local://" + path), let texture = resources.picture(bytes)
            else { continue }
            additions.images[name] = StyleImage(
                texture: texture, pixelRatio: image["pixelRatio"]?.number ?? 1, isSDF: image["sdf"]?.boolean ?? false)
        }
        for state in options?["featureState"]?.elements ?? [] {
            guard let source = state["source"]?.text, let id = state["id"]?.text, let values = state["state"]?.object
            else { continue }
            additions.featureStates.append(
                MapAdditions.FeatureState(
                    source: source, sourceLayer: state["sourceLayer"]?.text, id: id, state: OrderedObject(values)))
        }
        additions.crossSourceCollisions = options?["crossSourceCollisions"]?.boolean ?? true
        return additions
    }

    /// The longest side of a canvas in the public harness; the pixel ratio is lowered to it.
    private static let canvasSideLimit = 8192.0

    /// The part of the picture that is compared: its lower left corner, where the harness starts to read.
    private struct Report {
        var widthPx: Int
        var heightPx: Int
    }

    package enum TrialError: Error { case notEncoded }

    /// Straight alpha as the public harness makes it: cut off, not rounded.
    private static func png(_ map: RenderedMap, _ report: Report) -> Data? {
        let (widthPx, heightPx) = (min(report.widthPx, map.widthPx), min(report.heightPx, map.heightPx))
        guard var encoder = PNGEncoder(widthPx: widthPx, heightPx: heightPx, bands: 4, is16Bit: false) else {
            return nil
        }
        map.pixels.withUnsafeBytes { pixels in
            for row in (map.heightPx - heightPx)..<map.heightPx {
                var data = [UInt8](pixels[(row * map.widthPx * 4)..<((row * map.widthPx + widthPx) * 4)])
                for pixel in stride(from: 0, to: data.count, by: 4) {
                    let alpha = Int(data[pixel + 3])
                    guard alpha != 0, alpha != 255 else { continue }
                    for channel in pixel..<(pixel + 3) {
                        data[channel] = UInt8(min(255, Int(data[channel]) * 255 / alpha))
                    }
                }
                data.withUnsafeBufferPointer { buffer in
                    if let base = buffer.baseAddress { unsafe encoder.append(base) }
                }
            }
        }
        return encoder.finish(level: 1).map { file in file.withUnsafeBytes { Data($0) } }
    }
}
