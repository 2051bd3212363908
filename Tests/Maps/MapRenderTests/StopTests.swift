import Bytes
import MapStyle
import Synchronization
import TextEngine
import Testing

@testable import MapRender

/// A server that does not answer is waited for only as long as somebody waits for the picture.
@Suite(.timeLimit(.minutes(5))) struct StopTests {
    /// Never answers: whoever asks is asked whether to stop.
    private final class Server: MapResources {
        private let requests = Mutex<[String]>([])
        /// Requests that no stop reached.
        private let endless = Mutex<[String]>([])

        var asked: [String] { requests.withLock { $0 } }
        var unstopped: [String] { endless.withLock { $0 } }

        private func wait(for address: String, _ shouldStop: () -> Bool) throws(ResourceError) {
            requests.withLock { $0.append(address) }
            if shouldStop() { throw .cancelled }
            endless.withLock { $0.append(address) }
        }

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
            try bytes(at: address, shouldStop: { false })
        }

        func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
            try wait(for: address, shouldStop)
            return nil
        }

        func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
            try archive(at: address, shouldStop: { false })
        }

        func archive(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> (any TileArchive)? {
            if address.hasPrefix("pmtiles://") { try wait(for: address, shouldStop) }
            return nil
        }
    }

    private static let camera = Camera(longitude: 0, latitude: 0, zoom: 8, width: 64, height: 64)

    private static func style(_ members: String = "", source: String, _ layer: String) throws -> Style {
        try Style.read(
            Array(
                """
                {"version": 8, \(members) "sources": {"s": \(source)}, "layers": [
                  {"id": "b", "type": "background"}, {"id": "l", "source": "s", \(layer)}]}
                """.utf8))
    }

    /// A letter of each of 180 ranges.
    private static let manyRanges = String(
        String.UnicodeScalarView((1...180).compactMap { Unicode.Scalar(UInt32($0) << 8 | 0x41) }))

    /// Styles that ask one server for one thing each.
    private static func styles() throws -> [Style] {
        let point = #"{"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}"#
        let corners = "[[-10, 10], [10, 10], [10, -10], [-10, -10]]"
        let vector = #""type": "fill", "source-layer": "x""#
        let text = #""type": "symbol", "layout": {"text-field": "\#(manyRanges)", "text-font": ["A", "B"]}"#
        return [
            try style(source: #"{"type": "vector", "url": "https://a.example/t.json"}"#, vector),
            try style(source: #"{"type": "raster", "url": "https://a.example/t.json"}"#, #""type": "raster""#),
            try style(source: #"{"type": "vector", "tiles": ["https://a.example/{z}"]}"#, vector),
            try style(source: #"{"type": "vector", "url": "pmtiles://https://a.example/t"}"#, vector),
            try style(source: #"{"type": "geojson", "data": "https://a.example/g.json"}"#, #""type": "fill""#),
            try style(
                source: #"{"type": "image", "url": "https://a.example/i.png", "coordinates": \#(corners)}"#,
                #""type": "raster""#),
            try style(#""sprite": "https://a.example/s","#, source: point, #""type": "circle""#),
            try style(#""glyphs": "https://a.example/{fontstack}/{range}","#, source: point, text),
        ]
    }

    @Test func whateverAPictureWaitsFor_itStops_andAsksForNothingMore() throws {
        for (index, style) in try Self.styles().enumerated() {
            let server = Server()
            let engine = MapEngine(resources: server, fonts: FontSet(folders: ["/nonexistent"]))
            #expect(throws: MapError.cancelled, "\(index)") {
                try engine.render(style, Self.camera, shouldStop: { !server.asked.isEmpty })
            }
            #expect(server.asked.count == 1, "\(index)")
            #expect(server.unstopped.isEmpty, "\(index)")
        }
    }

    @Test func descriptionsOfMaps_stopToo() throws {
        let server = Server()
        let style = try Self.styles()[0]
        let engine = MapEngine(resources: server)
        #expect(throws: MapError.cancelled) {
            try engine.summary(of: style, Self.camera, shouldStop: { !server.asked.isEmpty })
        }
        #expect(server.asked.count == 1 && server.unstopped.isEmpty)
    }
}

/// How long a picture waits for glyphs of other servers.
@Suite(.timeLimit(.minutes(5))) struct GlyphWaitTests {
    /// Answers after three seconds, unless it is `kept`.
    private final class SlowServer: MapResources {
        private let state = Mutex<(count: Int, passed: Duration)>((count: 0, passed: .zero))

        var askedCount: Int { state.withLock { $0.count } }
        var passed: Duration { state.withLock { $0.passed } }

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
            try bytes(at: address, shouldStop: { false })
        }

        func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
            if address.hasPrefix("kept") { return SharedBytes([1]) }
            if shouldStop() { throw .cancelled }
            state.withLock { state in
                state.count += 1
                state.passed += .seconds(3)
            }
            return SharedBytes([2])
        }
    }

    @Test func rangesOfOnePicture_areWaitedForSomeSecondsInAll() {
        let server = SlowServer()
        let faults = FaultBook()
        let start = ContinuousClock().now
        let wait = GlyphWait(
            NotedResources(base: server, faults: faults), shouldStop: { false },
            now: { start.advanced(by: server.passed) })
        let found = (0..<2_304).map { wait.bytes(at: "https://a.example/\($0)?key=secret") != nil }
        // Of three seconds each: the seventh begins before the time is over.
        #expect(found == (0..<2_304).map { $0 < 7 })
        #expect(server.askedCount == 7)
        // The picture is not kept, as after any other server that does not answer.
        let fault = MapFault(
            source: "https://a.example", cause: "the glyphs of a map did not arrive in time", isPassing: true)
        #expect(faults.faults == [fault])
        // What is at hand costs no time.
        #expect(wait.bytes(at: "kept/0-255") != nil)
    }

    @Test func rangesThatNobodyWaitsFor_areNotAskedFor_andNoFault() {
        let server = SlowServer()
        let faults = FaultBook()
        let wait = GlyphWait(NotedResources(base: server, faults: faults), shouldStop: { true })
        #expect(wait.bytes(at: "https://a.example/0-255") == nil)
        #expect(server.askedCount == 0 && faults.faults.isEmpty)
    }
}
