import Bytes
import MapRender
import MapStyle
import Raster
import Testing

/// What cannot be had or read leaves a gap, and is told.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    /// Files by their address; `broken` ones fail.
    private struct Files: MapResources {
        var files: [String: [UInt8]] = [:]
        var broken: Set<String> = []

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
            if broken.contains(address) { throw .failed("disk") }
            return files[address].map { SharedBytes($0) }
        }
    }

    private func faults(_ files: Files, source: String, layer: String) throws -> [MapFault] {
        let text = """
            {"version": 8, "sources": {"s": \(source)}, "layers": [
              {"id": "b", "type": "background", "paint": {"background-color": "red"}}, \(layer)]}
            """
        let style = try Style.read(Array(text.utf8))
        let camera = Camera(longitude: 0, latitude: 0, zoom: 0, width: 16, height: 16)
        let engine = MapEngine(resources: files)
        let first = try engine.render(style, camera)
        #expect(first.pixels.withUnsafeBytes { $0[0] == 255 && $0[1] == 0 && $0[3] == 255 })
        // It is told again by the next picture, which the same gap is in.
        #expect(try engine.render(style, camera).faults == first.faults)
        return first.faults
    }

    private let fill = #"{"id": "f", "type": "fill", "source": "s", "source-layer": "x"}"#
    private let tiles = #"{"type": "vector", "tiles": ["{z}/{x}/{y}.mvt"]}"#

    @Test func missingTilesAreNoFault() throws {
        #expect(try faults(Files(), source: tiles, layer: fill).isEmpty)
    }

    @Test func malformedTilesAreFaults() throws {
        let found = try faults(Files(files: ["0/0/0.mvt": [0x1a, 0x7f, 1]]), source: tiles, layer: fill)
        #expect(found.map(\.source) == ["0/0/0.mvt"])
    }

    @Test func filesThatCannotBeReadAreFaults() throws {
        let found = try faults(Files(broken: ["0/0/0.mvt"]), source: tiles, layer: fill)
        #expect(found == [MapFault(source: "0/0/0.mvt", cause: "disk")])
    }

    @Test func malformedGeoJSONIsAFault() throws {
        let layer = #"{"id": "f", "type": "fill", "source": "s"}"#
        let source = #"{"type": "geojson", "data": "a.geojson"}"#
        let found = try faults(Files(files: ["a.geojson": Array("{".utf8)]), source: source, layer: layer)
        #expect(found.map(\.source) == ["a.geojson"])
    }

    @Test func tileJSONOfAServer_leadsToNoLocalFile() throws {
        let broken: [UInt8] = [0x1a, 0x7f, 1]
        func sources(_ url: String, _ template: String, at address: String) throws -> [String] {
            let document = #"{"tiles": ["\#(template)"]}"#
            let files = Files(files: [url: Array(document.utf8), address: broken])
            return try faults(files, source: #"{"type": "vector", "url": "\#(url)"}"#, layer: fill).map(\.source)
        }
        #expect(try sources("https://a.example/t", "{z}/{x}/{y}.mvt", at: "0/0/0.mvt") == [])
        #expect(try sources("HTTP://a.example/t", "veduta://{z}", at: "veduta://0") == [])
        #expect(try sources("t.json", "{z}/{x}/{y}.mvt", at: "0/0/0.mvt") == ["0/0/0.mvt"])
        let far = "https://key@b.example:8443/secret/"
        #expect(
            try sources("https://a.example/t", far + "{z}?key=secret", at: far + "0?key=secret") == [
                "https://b.example:8443"
            ])
    }

    @Test(arguments: [
        ("https://user:key@host:8443/secret/a?key=b", "https://host:8443"), ("HTTP://host", "http://host"),
        ("http://a@b@host?key", "http://host"), ("https://{s}.host/{z}", "https://{s}.host"),
        ("https://[::1]:80/x#y", "https://[::1]:80"), ("pmtiles://https://host/secret.pmtiles", "https://host"),
        ("veduta://map", "veduta://map"), ("veduta://map?key=secret", "veduta://map"), ("a/b.json?c", "a/b.json"),
        ("pmtiles://beside.pmtiles", "pmtiles://beside.pmtiles"), ("picture", "picture"), ("", ""),
    ])
    func placesOfAddresses_holdNoKeys(_ address: String, _ place: String) {
        #expect(MapFault.place(of: address) == place)
    }
}
