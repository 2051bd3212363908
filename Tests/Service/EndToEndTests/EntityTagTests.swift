import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What the tag of a picture promises: known before any work, the same in every process, one for each format.
    @Suite struct EntityTagTests {
        private static func targets(_ server: ReleaseServer) -> [String] {
            let pictures = [
                "/asset?id=\(server.library.photo)&width=90",
                "/asset?id=\(server.library.translucent)&width=64&crop=square",
                "/map?latitude=43.77&longitude=11.26&width=96&height=64",
            ]
            return pictures.flatMap { target in ["jpeg", "png", "webp", "avif"].map { "\(target)&format=\($0)" } }
        }

        /// The fingerprint of entity tags that a process logs at its start.
        private static func fingerprint(_ server: ReleaseServer) -> Substring? {
            server.log.split(separator: "\n").first { $0.contains("fingerprint ") }?.split(separator: " ")
                .drop { $0 != "fingerprint" }.dropFirst().first
        }

        @Test func tags_areKnownToAProcessThatHasMadeNothing_andDifferForEachFormat() throws {
            let first = try ReleaseServer()
            var tags: [String: String] = [:]
            for target in Self.targets(first) {
                let tag: String = try #require(try first.get(target)["ETag"])
                tags[target] = tag
            }
            #expect(Set(tags.values).count == tags.count)
            #expect(try first.metric("veduta_renders_total") == Double(tags.count))
            let fingerprint = try #require(Self.fingerprint(first))
            #expect(first.stop() == 0)

            let second = try ReleaseServer()
            for (target, tag) in tags {
                let known = try second.get(target, ["If-None-Match": tag])
                #expect(known.status == 304 && known.content.isEmpty)
                #expect(known["ETag"] == tag)
            }
            #expect(try second.metric("veduta_renders_total") == 0)
            #expect(Self.fingerprint(second) == fingerprint)
            #expect(second.stop() == 0)
        }

        @Test func negotiatedFormats_haveTagsOfTheirOwn() throws {
            let server = try ReleaseServer()
            let target = "/asset?id=\(server.library.photo)&width=90"
            let tags = try ["image/avif", "image/webp", "image/jpeg"].map { accept in
                try #require(try server.get(target, ["Accept": accept])["ETag"])
            }
            #expect(Set(tags).count == 3)
            // The tag of one format validates no other.
            #expect(try server.get(target, ["Accept": "image/webp", "If-None-Match": tags[0]]).status == 200)
            #expect(try server.get(target, ["Accept": "image/webp", "If-None-Match": tags[1]]).status == 304)
            #expect(server.stop() == 0)
        }

        @Test func fiveHundredRequestsForAColdPicture_doTheWorkOnce() throws {
            let server = try ReleaseServer(["--connections", "1000", "--connections-per-address", "1000"])
            let address = try Client(server.address).address
            let target = "/asset?id=\(server.library.photo)&width=1600&filter=blur:3&format=webp"
            let clients = try (0..<500).map { _ in try WireClient(address, patience: 120) }
            for client in clients { client.request(target) }
            let answers = try clients.map { try $0.read() }
            #expect(answers.allSatisfy { $0.code == 200 })
            let first = try #require(answers.first)
            #expect(answers.allSatisfy { $0.content == first.content && $0.field("ETag") == first.field("ETag") })
            #expect(try server.metric("veduta_renders_total") == 1)
            #expect(server.stop() == 0)
        }
    }
}
