import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// Nothing but one picture, of a single color.
private struct PictureResources: MapResources {
    func bytes(at address: String) -> SharedBytes? { SharedBytes([0]) }
    func picture(_ bytes: SharedBytes) -> Texture? {
        Texture(widthPx: 1, heightPx: 1, format: .rgba, texels: SharedBytes([200, 100, 0, 255]))
    }
}

/// At zoom 0 in 512 pixels one degree of longitude is 1.42 pixels; the equator is between rows 255 and 256.
@Suite(.timeLimit(.minutes(5))) struct LineLayerTests {
    private func draw(
        _ layer: String, line: String = "[[-90, 0], [90, 0]]", options: String = ""
    ) throws -> [[SIMD4<UInt8>]] {
        let source =
            #"{"type": "geojson", \#(options) "data": {"type": "LineString", "coordinates": \#(line)}}"#
        return try draw(layers: layer, source: source)
    }

    private func draw(layers: String, source: String, zoom: Double = 0) throws -> [[SIMD4<UInt8>]] {
        let text = #"{"version": 8, "sources": {"s": \#(source)}, "layers": [\#(layers)]}"#
        let style = try Style.read([UInt8](text.utf8))
        let camera = Camera(longitude: 0, latitude: 0, zoom: zoom, width: 512, height: 512)
        let map = try MapEngine(resources: PictureResources()).render(style, camera)
        return map.pixels.withUnsafeBytes { input in
            (0..<512).map { row in
                (0..<512).map { column in
                    let place = (row * 512 + column) * 4
                    return SIMD4(input[place], input[place + 1], input[place + 2], input[place + 3])
                }
            }
        }
    }

    private func layer(_ paint: String, layout: String = "") -> String {
        #"{"id": "l", "type": "line", "source": "s", "layout": {\#(layout)}, "paint": {\#(paint)}}"#
    }

    private func covered(_ column: Int, _ pixels: [[SIMD4<UInt8>]]) -> [Int] {
        (0..<512).filter { pixels[$0][column].w > 127 }
    }

    @Test func widthOffsetAndGapAreInPixels() throws {
        #expect(try covered(256, draw(layer(#""line-width": 4"#))) == [254, 255, 256, 257])
        #expect(try covered(256, draw(layer(#""line-width": 2, "line-offset": 5"#))) == [260, 261])
        #expect(try covered(256, draw(layer(#""line-width": 2, "line-gap-width": 4"#))) == [252, 253, 258, 259])
        #expect(try covered(256, draw(layer(#""line-width": 0"#))).isEmpty)
    }

    @Test func capsReachOverTheEnds() throws {
        func end(_ cap: String) throws -> Int {
            let pixels = try draw(layer(#""line-width": 10"#, layout: #""line-cap": "\#(cap)""#))
            return (256..<512).last { pixels[256][$0].w > 127 } ?? 0
        }
        #expect(try end("butt") == 383)
        #expect(try end("square") == 388)
        #expect(try end("round") == 388)
    }

    @Test func joinsFillTheCorner() throws {
        func corner(_ join: String) throws -> UInt8 {
            let line = "[[-45, 0], [0, 0], [0, -45]]"
            let pixels = try draw(layer(#""line-width": 20"#, layout: #""line-join": "\#(join)""#), line: line)
            return pixels[247][264].w
        }
        #expect(try corner("miter") == 255)
        #expect(try corner("bevel") == 0)
        #expect(try corner("round") == 0)
    }

    @Test func dashesAreMultiplesOfTheWidth() throws {
        let pixels = try draw(layer(#""line-width": 8, "line-dasharray": [2, 1]"#))
        // The line begins at column 128; a period is 24 pixels, of which 16 are a dash.
        #expect(pixels[256][136].w == 255 && pixels[256][148].w == 0 && pixels[256][160].w == 255)
    }

    @Test func gradientsFollowTheWholeLine() throws {
        let gradient = #"["interpolate", ["linear"], ["line-progress"], 0, "red", 1, "blue"]"#
        let pixels = try draw(
            layer(#""line-width": 8, "line-gradient": \#(gradient)"#), options: #""lineMetrics": true,"#)
        #expect(pixels[256][130].x > 245 && pixels[256][130].z < 10)
        #expect((120...136).contains(pixels[256][256].x))
        #expect(pixels[256][380].z > 245)
    }

    @Test func theOpacityOfTheLayerCountsOnceWhereLinesCross() throws {
        let line = "[[-45, 0], [45, 0], [0, 45], [0, -45]]"
        let apart = try draw(layer(#""line-width": 8, "line-opacity": 0.5"#), line: line)
        let whole = try draw(layer(#""line-width": 8, "line-layer-opacity": 0.5"#), line: line)
        #expect(apart[256][256].w > 180 && apart[256][220].w == 128)
        #expect((127...128).contains(whole[256][256].w) && (127...128).contains(whole[256][220].w))
    }

    @Test func ringsOfPolygonsAreClosed() throws {
        let source = #"""
            {"type": "geojson", "data": {"type": "Polygon",
            "coordinates": [[[-45, -45], [45, -45], [45, 45], [-45, 45], [-45, -45]]]}}
            """#
        let pixels = try draw(layers: layer(#""line-width": 4"#), source: source)
        #expect(pixels[256][192].w == 255 && pixels[256][320].w == 255 && pixels[256][256].w == 0)
    }

    @Test func absurdNumbersAreHarmless() throws {
        for paint in [
            #""line-width": 1e300"#, #""line-width": 3, "line-offset": -1e300"#,
            #""line-width": 3, "line-blur": 1e300"#,
            #""line-width": 3, "line-dasharray": [1e-300, 1e300]"#, #""line-width": 1e-300, "line-dasharray": [0, 0]"#,
        ] {
            _ = try draw(layer(paint))
        }
    }

    @Test func aPictureLiesBetweenItsCorners() throws {
        let source = #"""
            {"type": "image", "url": "x", "coordinates": [[-45, 40], [45, 40], [45, -40], [-45, -40]]}
            """#
        let raster = #"{"id": "r", "type": "raster", "source": "s", "paint": {"raster-opacity": 0.5}}"#
        let pixels = try draw(layers: raster, source: source)
        #expect(pixels[256][256] == SIMD4(100, 50, 0, 128))
        #expect(pixels[256][190].w == 0 && pixels[256][322].w == 0 && pixels[180][256].w == 0)
    }

    @Test func heatIsGreatestAtThePoint() throws {
        let source = #"{"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}"#
        let ramp = #"["interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0, 0, 0, 0)", 0.4, "white"]"#
        let heat = #"{"id": "h", "type": "heatmap", "source": "s", "paint": {"heatmap-color": \#(ramp)}}"#
        let pixels = try draw(layers: heat, source: source)
        #expect(pixels[256][256].w > 240)
        #expect(pixels[256][266].w < pixels[256][256].w && pixels[256][266].w > pixels[256][276].w)
        #expect(pixels[256][340].w == 0)
    }
}
