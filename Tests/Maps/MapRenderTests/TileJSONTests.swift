import Bytes
import MapStyle
import Testing

@testable import MapRender

/// Documents that describe tiles, which may come from anybody's server.
@Suite(.timeLimit(.minutes(5))) struct TileJSONTests {
    private static let address = "https://a.example/tiles.json"

    /// One document for whatever is asked for; none arrives where nobody waits.
    private struct Server: MapResources {
        let text: String

        var content: SharedBytes { SharedBytes(Array(text.utf8)) }

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? { content }

        func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
            if shouldStop() { throw .cancelled }
            return content
        }
    }

    private func source() throws -> TileSource {
        let text = #"{"version": 8, "sources": {"s": {"type": "vector", "url": "\#(Self.address)"}}, "layers": []}"#
        var found: TileSource?
        if case .vector(let source)? = try Style.read(Array(text.utf8)).sources["s"] { found = source }
        return try #require(found)
    }

    /// What the document leads to.
    private func templates(_ server: Server, _ caches: MapCaches = MapCaches()) throws -> [String]? {
        guard case .templates(let templates)? = try TileSet.resolve(source(), server, keptIn: caches)?.place else {
            return nil
        }
        return templates.addresses
    }

    private func document(_ template: String, byteCount: Int? = nil) -> String {
        let start = #"{"tiles": ["\#(template)"], "name": "#
        guard let byteCount else { return start + "0}" }
        return start + "\"" + String(repeating: "x", count: byteCount - start.utf8.count - 3) + "\"}"
    }

    @Test func templatesOfADocument_areFewAndShort() throws {
        let start = "https://a.example/"
        let longest = start + String(repeating: "x", count: TileDocument.templateByteLimit - start.utf8.count)
        let few = (0..<20).map { "\(start)\($0)/{z}" }
        let named = [longest + "x", longest, "local/{z}"] + few
        let list = named.map { "\"\($0)\"" }.joined(separator: ", ")
        let found = try templates(Server(text: #"{"tiles": [\#(list)]}"#))
        #expect(found == [longest] + few.prefix(15))
    }

    @Test func documentsOverTheLimit_areUnreadable() throws {
        let template = "https://a.example/{z}"
        let largest = document(template, byteCount: TileDocument.byteLimit)
        #expect(largest.utf8.count == TileDocument.byteLimit)
        #expect(try templates(Server(text: largest)) == [template])
        let caches = MapCaches()
        let tooLarge = Server(text: document(template, byteCount: TileDocument.byteLimit + 1))
        #expect(try templates(tooLarge, caches) == nil)
        #expect(caches.documents.byteCount == 0)
    }

    @Test func documents_areReadOnce_andCounted() throws {
        let caches = MapCaches()
        let first = Server(text: document("https://a.example/1"))
        let key = ContentKey(address: Self.address, content: first.content)
        #expect(try templates(first, caches) == ["https://a.example/1"])
        let weight = caches.documents.byteCount
        #expect(weight > 256)
        // What is kept stands in for the same bytes, and for no others.
        let second = Server(text: document("https://b.example/2"))
        let other = TileDocument(second.content, at: Self.address)
        caches.documents.keep(.init(other, byteCount: weight), for: key)
        #expect(try templates(first, caches) == ["https://b.example/2"])
        #expect(try templates(Server(text: document("https://c.example/3")), caches) == ["https://c.example/3"])
        #expect(caches.documents.byteCount > weight)
        // What is no document is remembered too.
        let broken = Server(text: "{")
        #expect(try templates(broken, caches) == nil)
        let isKnown = caches.documents.value(for: ContentKey(address: Self.address, content: broken.content)) != nil
        #expect(isKnown)
    }

    @Test func documentsThatAreNotWanted_areNotMissed() throws {
        let caches = MapCaches()
        let server = Server(text: document("https://a.example/1"))
        let source = try source()
        #expect(throws: MapError.cancelled) {
            try TileSet.resolve(source, server, keptIn: caches, shouldStop: { true })
        }
        #expect(caches.documents.byteCount == 0)
        #expect(try templates(server, caches) == ["https://a.example/1"])
    }
}
