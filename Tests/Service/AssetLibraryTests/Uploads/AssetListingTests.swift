import Foundation
import Glibc
import SeededRandom
import Synchronization
import Testing

@testable import AssetLibrary

extension FolderLibrary {
    fileprivate func ids(after id: String, limit: Int, chunkCount: Int = FolderLibrary.usualChunkCount) -> [String] {
        page(after: id, limit: limit, chunkCount: chunkCount)?.ids ?? []
    }
}

@Suite("Pages of assets", .timeLimit(.minutes(5)))
struct AssetListingTests {
    private func all(_ listing: AssetListing, limit: Int, from first: String = "") throws -> [String] {
        var ids: [String] = []
        var after: String? = first
        while let place = after {
            let page = try listing.page(after: place, limit: limit)
            #expect(page.records.count <= limit)
            ids += page.records.map(\.id)
            after = page.next
        }
        return ids
    }

    private func inOrder(_ ids: [String]) -> [String] { ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    @Test func pages_ofAnySize_areOneOrderedList() throws {
        let folder = try TemporaryFolder()
        let names = [
            "b.JPG", "a.png", "a-b.png", "a/x.png", "a/y/z.gif", "a0.png", "a.d/q.webp", "z.avif", "città.jpg",
            "m/n/o/p.tif", "both.jpg",
        ]
        for name in names { try folder.makeFile(name, Array("P".utf8), makingFolders: true) }
        for name in ["notes.txt", ".hidden.jpg", "~up.jpg", ".git/f.jpg", "m/back\\slash.jpg"] {
            try folder.makeFile(name, makingFolders: true)
        }
        try folder.makeLink("linked.jpg", to: "a.png")
        try folder.makeLink("m/loop", to: "..")
        try folder.makePipe("pipe.jpg")
        let uploads = try TestUploads()
        for name in ["b", "a/w", "both.jpg", "zz"] { try uploads.library.put(name, picture(name)) }
        for text in ["1", "2", "3"] { try uploads.library.add(picture(text)) }
        let library = try FolderLibrary(rootPath: folder.path)
        let listing = AssetListing(uploads: uploads.library, folder: library, mediaType: TestUploads.mediaType)
        let expected = inOrder(names + ["b", "a/w", "zz"] + ["1", "2", "3"].map(pictureID))
        for limit in [1, 2, 3, 5, 13, 100] {
            #expect(try all(listing, limit: limit) == expected)
        }
        for id in expected + ["a", "a/", "a/y", "a/y/", "n", "~"] {
            let rest = expected.filter { id.utf8.lexicographicallyPrecedes($0.utf8) }
            #expect(try all(listing, limit: 4, from: id) == rest)
        }
        let both = try listing.page(after: "both", limit: 1).records
        #expect(both.map(\.origin) == [.name])
        let file = try #require(try listing.page(after: "a0", limit: 1).records.first)
        #expect(file.origin == .folder && file.mediaType == "image/x-test" && file.byteCount == 1)
        #expect(file.modifiedUnixNanoseconds > 1_600_000_000_000_000_000)
    }

    @Test func eitherAlone_isListed() throws {
        let folder = try TemporaryFolder()
        try folder.makeFile("a.png")
        let library = try FolderLibrary(rootPath: folder.path)
        let ids = { (listing: AssetListing) in try listing.page(after: "", limit: 9).records.map(\.id) }
        #expect(try ids(AssetListing(uploads: nil, folder: library, mediaType: { _ in nil })) == ["a.png"])
        #expect(try ids(AssetListing(uploads: nil, folder: nil, mediaType: { _ in nil })) == [])
        let uploads = try TestUploads()
        try uploads.library.put("b", picture("b"))
        #expect(try ids(AssetListing(uploads: uploads.library, folder: nil, mediaType: { _ in nil })) == ["b"])
    }

    @Test func whatStays_isOnExactlyOnePage_whateverChanges() throws {
        var random = SeededGenerator(state: 6)
        let uploads = try TestUploads()
        let listing = AssetListing(uploads: uploads.library, folder: nil, mediaType: { _ in nil })
        let staying = (0..<40).map { "s\($0 % 7)/\($0)" }
        for id in staying { try uploads.library.put(id, picture(id)) }
        for _ in 0..<5 {
            var seen: [String] = []
            var after: String? = ""
            while let place = after {
                let page = try listing.page(after: place, limit: 3)
                seen += page.records.map(\.id)
                after = page.next
                let other = "s\(Int.random(in: 0..<7, using: &random))/x\(Int.random(in: 0..<9, using: &random))"
                if (try? uploads.library.remove(other)) == nil { try uploads.library.put(other, picture(other)) }
            }
            #expect(seen.filter(staying.contains) == inOrder(staying))
            #expect(Set(seen).count == seen.count)
        }
    }

    /// #15: a folder of 100,000 names is read for some of the pages, not for each; and again once it has changed.
    @Test func pagesOfALargeFolder_areTakenFromOneReading_untilItChanges() throws {
        let folder = try TemporaryFolder()
        let nameCount = 20_000
        let expected = (0..<nameCount).map { "f\(100_000 + $0).png" }
        for name in expected { try folder.makeFile(name, []) }
        let library = try FolderLibrary(rootPath: folder.path)
        try waitUntilOld(library)
        var seen: [String] = []
        while true {
            let page = library.ids(after: seen.last ?? "", limit: 100)
            if page.isEmpty { break }
            seen += page
        }
        #expect(seen == expected)
        // 200 pages; at most 16,384 names are kept, so there are two readings.
        #expect(library.listedNameCount.load(ordering: .relaxed) <= 2 * (nameCount + 2))
        try folder.makeFile("f100000a.png", [])
        try folder.remove(expected[1])
        #expect(library.ids(after: expected[0], limit: 2) == ["f100000a.png", expected[2]])
    }

    /// One of 1,000,000 names was sorted some 60 times for each page.
    @Test func namesOfALargeFolder_areSortedAFewTimes() {
        var random = SeededGenerator(state: 7)
        let sorted = (0..<200_000).map { "f\(1_000_000 + $0).png" }
        for after in [0, 100_000] {
            let bound = after == 0 ? [] : Array(sorted[after - 1].utf8)
            var names = FirstNames(1000, after: bound, orThrough: nil)
            for name in sorted.shuffled(using: &random) { names.add(name, isFolder: false) }
            names.finish()
            #expect(names.entries.map(\.name) == Array(sorted[after..<(after + 1000)]))
            #expect(!names.isWhole)
            // Each time that the names kept double, half of the rest is dropped unseen: some 8 sorts, not 200.
            #expect(names.sortCount <= 20, "\(names.sortCount)")
        }
    }

    @Test func firstNames_areTheSame_whateverTheOrder() {
        var random = SeededGenerator(state: 8)
        // A folder's key has a slash behind the name, so `a!.png` and `a-b.png` come before what is in `a`.
        let keys = inOrder(["a!.png", "a-b.png", "a/", "a.d/", "a.png", "a0.png", "b/", "b.png", "c.png", "ca/"])
        for _ in 0..<200 {
            let bound = Array(["", "a", "a/x", "a.d/q", "b", "zz"].randomElement(using: &random)?.utf8 ?? "".utf8)
            let way = FolderRun.folderKey(in: bound)
            let count = Int.random(in: 1...4, using: &random)
            var names = FirstNames(count, after: bound, orThrough: way)
            for key in keys.shuffled(using: &random) {
                let isFolder = key.hasSuffix("/")
                names.add(isFolder ? String(key.dropLast()) : key, isFolder: isFolder)
            }
            names.finish()
            let wanted = keys.filter { bound.lexicographicallyPrecedes($0.utf8) || way == Array($0.utf8) }
            #expect(names.entries.map { String(decoding: $0.key, as: UTF8.self) } == Array(wanted.prefix(names.limit)))
            #expect(names.isWhole == (wanted.count <= names.limit))
        }
    }

    /// A client that left had the whole folder read all the same.
    @Test func walkThatIsStopped_readsNoFurther() throws {
        let folder = try TemporaryFolder()
        for number in 0..<5000 { try folder.makeFile("f\(number).png", []) }
        let library = try FolderLibrary(rootPath: folder.path)
        var askedCount = 0
        let page = library.page(after: "", limit: 10) {
            askedCount += 1
            return askedCount == 3
        }
        #expect(page == nil)
        // It is asked at the folder, and after each 1,024 names.
        #expect(library.listedNameCount.load(ordering: .relaxed) == 2048)
        let listing = AssetListing(uploads: nil, folder: library, mediaType: { _ in nil })
        #expect(try listing.page(after: "", limit: 10, unless: { true }) == nil)
        #expect(library.listedNameCount.load(ordering: .relaxed) == 2048)
        #expect(try listing.page(after: "", limit: 10).records.count == 10, "what was not read is not kept")
    }

    /// A tree of folders without images was walked to its end for one page.
    @Test func foldersOfAPage_areBounded_andPagesGoOn() throws {
        let folder = try TemporaryFolder()
        for number in 10..<50 { try folder.makeFile("d\(number)/e/x.txt", [], makingFolders: true) }
        try folder.makeFile("d20/e/p.png", [])
        try folder.makeFile("d49/q.png", [])
        try folder.makeFile("back\\slash/r.png", [], makingFolders: true)
        let uploads = try TestUploads()
        for name in ["a", "d15", "d20/e/o", "d30", "z"] { try uploads.library.put(name, picture(name)) }
        let library = try FolderLibrary(rootPath: folder.path)
        let listing = AssetListing(uploads: uploads.library, folder: library, mediaType: { _ in nil })
        for (folderLimit, limit) in [(1, 1), (1, 100), (2, 2), (7, 3), (200, 100)] {
            var ids: [String] = []
            var (pageCount, emptyCount) = (0, 0)
            var next: String? = ""
            while let after = next {
                let found = try listing.page(after: after, limit: limit, folderLimit: folderLimit, unless: { false })
                let page = try #require(found)
                ids += page.records.map(\.id)
                pageCount += 1
                if page.records.isEmpty { emptyCount += 1 }
                if let place = page.next { try #require(after.utf8.lexicographicallyPrecedes(place.utf8)) }
                next = page.next
            }
            #expect(ids == inOrder(["a", "d15", "d20/e/o", "d20/e/p.png", "d30", "d49/q.png", "z"]))
            if folderLimit == 1 { #expect(emptyCount > 20) }
            if folderLimit == 200 { #expect(pageCount == 1) }
        }
    }

    /// A folder that was changed a moment ago is not kept: the clock of the file system may not have ticked since.
    private func waitUntilOld(_ library: FolderLibrary) throws {
        while try !FolderLibrary.isOld(library.openFolder([]).status()) { usleep(1000) }
    }

    @Test func largeFolders_areReadInChunks() throws {
        let folder = try TemporaryFolder()
        var names: [String] = []
        for number in 0..<120 {
            // Folders without any picture must not end a page.
            let name = number % 2 == 0 ? "d\(number)/x.txt" : "f\(number).png"
            try folder.makeFile(name, [], makingFolders: true)
            if number % 2 == 1 { names.append(name) }
        }
        try folder.makeFile("z.png")
        let library = try FolderLibrary(rootPath: folder.path)
        let expected = inOrder(names + ["z.png"])
        for chunkCount in [1, 2, 7, 30, 1000] {
            #expect(library.ids(after: "", limit: 10_000, chunkCount: chunkCount) == expected)
            let part = library.ids(after: expected[20], limit: 30, chunkCount: chunkCount)
            #expect(part == Array(expected[21..<51]))
        }
        // Page by page, from what was read before.
        try waitUntilOld(library)
        for chunkCount in [1, 2, 7, 30, 1000] {
            var seen: [String] = []
            while seen.count < expected.count {
                let page = library.ids(after: seen.last ?? "", limit: 3, chunkCount: chunkCount)
                try #require(!page.isEmpty)
                seen += page
            }
            #expect(seen == expected)
        }
        #expect(library.ids(after: "zz", limit: 10) == [])
        #expect(library.ids(after: "", limit: 0) == [])
    }
}
