import Bytes
import Glibc
import TestThreads
import Testing

@testable import AssetLibrary

@Suite("Reading originals", .timeLimit(.minutes(5)))
struct OpenedAssetTests {
    private let folder: TemporaryFolder
    private let library: FolderLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = try FolderLibrary(rootPath: folder.path)
    }

    private func validator(_ id: String) throws -> String { try library.open(id: id).validator }

    @Test func stateOfTheFile_isTold() throws {
        try folder.makeFile("a.jpg", Array("0123456789".utf8))
        try folder.setModified("a.jpg", seconds: 1_700_000_000, nanoseconds: 123_456_789)
        let asset = try library.open(id: "a.jpg")
        let (byteCount, seconds, nanoseconds) = (asset.byteCount, asset.modifiedUnixSeconds, asset.modifiedNanoseconds)
        #expect(byteCount == 10)
        #expect(seconds == 1_700_000_000)
        #expect(nanoseconds == 123_456_789)
        let validator = asset.validator
        #expect(validator == "a-6553f100.75bcd15")
    }

    @Test func validators_followSizeAndTimeAndNothingElse() throws {
        try folder.makeFile("a.jpg", Array("one".utf8))
        try folder.setModified("a.jpg", seconds: 5, nanoseconds: 6)
        try folder.makeFile("b.jpg", Array("two".utf8))
        try folder.setModified("b.jpg", seconds: 5, nanoseconds: 6)
        let first = try validator("a.jpg")
        #expect(try validator("b.jpg") == first)
        try folder.setModified("b.jpg", seconds: 5, nanoseconds: 7)
        #expect(try validator("b.jpg") != first)
        try folder.makeFile("b.jpg", Array("three".utf8))
        try folder.setModified("b.jpg", seconds: 5, nanoseconds: 6)
        #expect(try validator("b.jpg") != first)
        try folder.setModified("a.jpg", seconds: -5, nanoseconds: 6)
        #expect(try validator("a.jpg") == "3--5.6")
    }

    @Test(arguments: [0, 1, 4096, 300_000])
    func content_isReadWhole(count: Int) throws {
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try folder.makeFile("a.bin", data)
        let asset = try library.open(id: "a.bin")
        for isShared in [false, true, false] {
            let content = try asset.read(limit: count, forAnotherProcess: isShared)
            #expect(content.count == count)
            #expect((content.sealedFile != nil) == (isShared && count > 0))
            #expect(content.withUnsafeBytes { $0.elementsEqual(data) })
        }
    }

    @Test func moreThanTheLimit_isRefused() throws {
        try folder.makeFile("a.bin", [1, 2, 3])
        let asset = try library.open(id: "a.bin")
        let over = Result { () throws(LibraryError) in try asset.read(limit: 2).count }
        #expect(over == .failure(.tooLarge(limit: 2)))
        let within = Result { () throws(LibraryError) in try asset.read(limit: 3).count }
        #expect(within == .success(3))
    }

    @Test(arguments: ["grown", "cut", "emptied", "rewritten"])
    func changesAfterOpening_areTold(change: String) throws {
        try folder.makeFile("a.bin", [1, 2, 3])
        try folder.setModified("a.bin", seconds: 1, nanoseconds: 0)
        let asset = try library.open(id: "a.bin")
        switch change {
        case "grown": try folder.makeFile("a.bin", [1, 2, 3, 4])
        case "cut": try folder.makeFile("a.bin", [1, 2])
        case "emptied": try folder.makeFile("a.bin", [])
        default: try folder.makeFile("a.bin", [3, 2, 1])
        }
        for isShared in [false, true] {
            let result = Result { () throws(LibraryError) in
                try asset.read(limit: 100, forAnotherProcess: isShared).count
            }
            #expect(result == .failure(.changedWhileReading))
        }
    }

    @Test func aFileReplacedByAnother_isReadAsItWas() throws {
        try folder.makeFile("a.bin", Array("old".utf8))
        let asset = try library.open(id: "a.bin")
        try folder.makeFile("new.bin", Array("newer".utf8))
        try folder.move("new.bin", to: "a.bin")
        let content = try asset.read(limit: 100)
        #expect(content.withUnsafeBytes { $0.elementsEqual("old".utf8) })
    }

    @Test func aWriterAtWork_neverYieldsAMix() throws {
        let path = folder.at("a.bin")
        try folder.makeFile("a.bin", [UInt8](repeating: 0, count: 1000))
        // The writer's rounds are further apart than a tick of the file system's clock; the first must be, too.
        try folder.setModified("a.bin", seconds: 1, nanoseconds: 0)
        var wholeCount = 0
        whileThreadsRepeat { _, round in
            let file = Glibc.open(path, O_WRONLY | O_TRUNC)
            let half = [UInt8](repeating: UInt8(truncatingIfNeeded: round + 1), count: 500)
            write(file, half, 500)
            write(file, half, 500)
            close(file)
            usleep(20_000)
        } meanwhile: {
            // At least one attempt must fall between two rounds of the writer, which may be held up in the middle of one.
            for attempt in 0..<100_000 where attempt < 500 || wholeCount == 0 {
                guard let content = try? library.open(id: "a.bin").read(limit: 5000), content.count == 1000 else {
                    continue
                }
                wholeCount += 1
                content.withUnsafeBytes { bytes in
                    #expect(bytes.allSatisfy { $0 == bytes[0] })
                }
            }
        }
        #expect(wholeCount > 0)
    }
}

@Suite("Listing pictures", .timeLimit(.minutes(5)))
struct FolderListTests {
    @Test func pictures_areListedFolderByFolderInOrder() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("z")
        try folder.makeFolder("m")
        try folder.makeFolder("m/deep")
        try folder.makeFolder(".git")
        for name in [
            "b.JPG", "a.png", "notes.txt", ".hidden.jpg", "~up.jpg", "jpg", "m/c.webp", "m/deep/d.avif", "z/e.tiff",
            ".git/f.jpg",
        ] {
            try folder.makeFile(name)
        }
        try folder.makeLink("linked.jpg", to: "a.png")
        try folder.makeLink("m/loop", to: "..")
        try folder.makePipe("pipe.jpg")
        let library = try FolderLibrary(rootPath: folder.path)
        let all = ["a.png", "b.JPG", "m/c.webp", "m/deep/d.avif", "z/e.tiff"]
        #expect(library.list(limit: 100) == all)
        #expect(library.list(limit: 3) == Array(all.prefix(3)))
        #expect(library.list(limit: 0) == [])
        #expect(library.list(limit: -1) == [])
    }

    @Test func everyListedID_opens() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("città")
        try folder.makeFile("città/ponte vecchio (1).jpeg")
        try folder.makeFile("back\\slash.jpg")
        try folder.makeFile("line\nbreak.jpg")
        let library = try FolderLibrary(rootPath: folder.path)
        let ids = library.list(limit: 10)
        #expect(ids == ["città/ponte vecchio (1).jpeg"])
        for id in ids { #expect(throws: Never.self) { try library.open(id: id).read(limit: 100) } }
    }

    @Test func depth_isBounded() throws {
        let folder = try TemporaryFolder()
        var path = "d"
        for _ in 0..<12 {
            try folder.makeFolder(path)
            try folder.makeFile(path + "/x.jpg")
            path += "/d"
        }
        let library = try FolderLibrary(rootPath: folder.path)
        #expect(library.list(limit: 100).count == 8)
    }
}
