import Glibc
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// A source that is replaced while the server takes it to be as it was.
@Suite(.timeLimit(.minutes(5))) struct SourceLifetimeTests {
    @Test func pictureOfAReplacedSource_isMadeOnce_withinTheLifetimeOfTheOldOne() throws {
        let (pictures, _, client) = try RunningService.withPictures { $0.sourceLifetime = 3600 }
        let target = "/asset?id=a.png&width=40&format=webp"
        // Known by its source, and not made.
        #expect(try client.get(target, "If-None-Match: *").code == 304)
        try pictures.add("a.png", PictureFolder.picture(200, 120))
        let made = try client.get(target)
        #expect(made.field("Cache-Status") == "veduta; fwd=uri-miss; stored")
        let again = try client.get(target)
        #expect(again.field("Cache-Status") == "veduta; hit; ttl=3600")
        #expect(again.field("ETag") == made.field("ETag"))
        #expect(again.content == made.content)
    }

    /// #15.16: a copy that keeps the time, as of `cp -p` and `rsync`, shows at the next look, and no client is told 304.
    @Test func replacementOfEqualSizeAndTime_isSeen_andTagsAreThoseOfEveryReplica() throws {
        let pictures = try PictureFolder()
        let contents = [try PictureFolder.picture(200, 120), try PictureFolder.picture(120, 200)]
        let byteCount = (contents.map(\.count).max() ?? 0) + 1
        func replace(by content: [UInt8]) throws {
            // What stands behind the end of a PNG belongs to nothing.
            try pictures.add("new", content + [UInt8](repeating: 0, count: byteCount - content.count))
            var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 5), timespec(tv_sec: 1_700_000_000, tv_nsec: 5)]
            utimensat(AT_FDCWD, pictures.path + "/new", &times, 0)
            rename(pictures.path + "/new", pictures.path + "/c.png")
        }
        func withService<R>(_ body: (WireClient) throws -> R) throws -> R {
            let (_, _, client) = try RunningService.withPictures(in: pictures) { $0.sourceLifetime = 0 }
            return try body(client)
        }
        try replace(by: contents[0])
        for target in ["/asset?id=c.png&width=40&format=png", "/assets/c.png", "/assets/c.png/original"] {
            let (old, new) = try withService { client in
                let old = try client.get(target)
                #expect(old.code == 200)
                // The same content: nothing has changed for anybody.
                try replace(by: contents[0])
                #expect(try client.get(target, "If-None-Match: \(old.field("ETag") ?? "")").code == 304)
                try replace(by: contents[1])
                let new = try client.get(target, "If-None-Match: \(old.field("ETag") ?? "")")
                #expect(new.code == 200 && new.content != old.content)
                return (old.field("ETag"), new.field("ETag"))
            }
            #expect(old != new)
            #expect(try withService { try $0.get(target).field("ETag") } == new)
            try replace(by: contents[0])
            #expect(try withService { try $0.get(target).field("ETag") } == old)
        }
    }
}
