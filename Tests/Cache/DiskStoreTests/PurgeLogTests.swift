import Digest
import Foundation
import Glibc
import Reactor
import TestThreads
import Testing

@testable import DiskStore

@Suite(.timeLimit(.minutes(5))) struct PurgeLogRecordTests {
    private static let bodies: [PurgeLogRecord.Body] = [
        .head(file: 1, previous: .max), .purge(.group(tag: 0x0123_4567_89ab_cdef), writer: 7),
        .purge(.entry(key: sampleDigest, tag: 9), writer: .max), .purge(.whole, writer: 0),
    ]
    private static let sampleDigest = SHA256.digest(of: "entry")

    @Test func whatIsWritten_isReadBack() {
        for body in Self.bodies {
            let bytes = PurgeLogRecord(body).bytes
            #expect(bytes.count == PurgeLogRecord.byteCount)
            #expect(PurgeLogRecord(bytes[...])?.body == body)
        }
    }

    @Test func everyFlippedBit_isNoticed() {
        for body in Self.bodies {
            let bytes = PurgeLogRecord(body).bytes
            for bit in 0..<(8 * bytes.count) {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(PurgeLogRecord(damaged[...]) == nil, "bit \(bit)")
            }
        }
    }

    @Test func otherLengths_areNoRecord() {
        let bytes = PurgeLogRecord(Self.bodies[0]).bytes
        for count in 0..<bytes.count { #expect(PurgeLogRecord(bytes[..<count]) == nil) }
        #expect(PurgeLogRecord((bytes + [0])[...]) == nil)
        #expect(PurgeLogRecord([UInt8](repeating: 0, count: 64)[...]) == nil)
    }
}

/// A folder with a purge log.
private final class PurgeLogFolder {
    private let folder: TestFolder
    let root: FileDescriptor

    init() throws {
        folder = try TestFolder()
        try FileDescriptor.makeFolders(folder.storePath)
        root = try FileDescriptor.openFolder(folder.storePath)
    }

    var path: String { folder.storePath + "/purges" }

    func bytes() throws -> [UInt8] { try folder.bytes(path) }

    /// Puts bytes into the file that is there.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws {
        try root.openOrMakeFile(PurgeLogWriter.path).write(bytes, at: offset)
    }

    /// Changes the byte at `offset`, whatever it is: parts of a head are random.
    func damage(at offset: Int) throws { try overwrite([bytes()[offset] ^ 0xff], at: offset) }

    func log(_ purge: SharedPurge, by name: UInt64 = 1) throws {
        try PurgeLogWriter(name: name).append(purge, in: root)
    }

    func reader(_ name: UInt64) -> PurgeLogReader { PurgeLogReader(ownName: name, root: root) }
}

@Suite(.timeLimit(.minutes(5))) struct PurgeLogTests {
    private let folder: PurgeLogFolder

    init() throws { folder = try PurgeLogFolder() }

    private func tags(_ range: Range<UInt64>) -> [SharedPurge] { range.map { .group(tag: $0) } }

    @Test func othersHearOfEveryPurge_onceAndInOrder() throws {
        var second = folder.reader(2)
        var third = folder.reader(3)
        #expect(second.readNew(in: folder.root) == [])
        let key = SHA256.digest(of: "a")
        let purges: [SharedPurge] = [.group(tag: 5), .entry(key: key, tag: 6), .whole, .group(tag: 5)]
        for purge in purges { try folder.log(purge) }
        #expect(second.readNew(in: folder.root) == purges)
        #expect(second.readNew(in: folder.root) == [])
        try folder.log(.group(tag: 8))
        #expect(second.readNew(in: folder.root) == [.group(tag: 8)])
        #expect(third.readNew(in: folder.root) == purges + [.group(tag: 8)])
    }

    @Test func whoPurged_doesNotHearOfIt() throws {
        var first = folder.reader(1)
        var second = folder.reader(2)
        try folder.log(.group(tag: 1), by: 1)
        try folder.log(.group(tag: 2), by: 2)
        #expect(first.readNew(in: folder.root) == [.group(tag: 2)])
        #expect(second.readNew(in: folder.root) == [.group(tag: 1)])
    }

    @Test func whoStartsLater_hearsOfWhatComesThen() throws {
        try folder.log(.group(tag: 1))
        var late = folder.reader(2)
        #expect(late.readNew(in: folder.root) == [])
        try folder.log(.group(tag: 2))
        #expect(late.readNew(in: folder.root) == [.group(tag: 2)])
    }

    @Test func fullFile_isReplaced_andNothingIsMissed() throws {
        var second = folder.reader(2)
        var late = folder.reader(3)
        let count = UInt64(PurgeLogWriter.byteLimit / PurgeLogRecord.byteCount) + 100
        var found: [SharedPurge] = []
        for tag in 0..<count {
            try folder.log(.group(tag: tag))
            if tag % 100 == 0 { found += second.readNew(in: folder.root) }
        }
        #expect(found + second.readNew(in: folder.root) == tags(0..<count))
        #expect(try folder.bytes().count < PurgeLogWriter.byteLimit)
        // Who has read nothing before the file was replaced cannot know what stood there.
        #expect(late.readNew(in: folder.root).contains(.whole))
        try folder.log(.group(tag: 7))
        #expect(late.readNew(in: folder.root) == [.group(tag: 7)])
    }

    @Test func whoMissesAFile_takesEverythingForPurged_once() throws {
        var second = folder.reader(2)
        try folder.log(.group(tag: 0))
        #expect(second.readNew(in: folder.root) == [.group(tag: 0)])
        let perFile = UInt64(PurgeLogWriter.byteLimit / PurgeLogRecord.byteCount)
        for tag in 0..<(2 * perFile + 10) { try folder.log(.group(tag: tag)) }
        #expect(second.readNew(in: folder.root).contains(.whole))
        try folder.log(.group(tag: 1))
        #expect(second.readNew(in: folder.root) == [.group(tag: 1)])
    }

    @Test func deletedFile_isPurgeOfEverything_whenANewOneIsThere() throws {
        try folder.log(.group(tag: 1))
        var second = folder.reader(2)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(second.readNew(in: folder.root) == [])
        try folder.log(.group(tag: 2))
        #expect(second.readNew(in: folder.root) == [.whole, .group(tag: 2)])
    }

    @Test(arguments: 1..<PurgeLogRecord.byteCount)
    func tornRecord_isWrittenOver(_ byteCount: Int) throws {
        try folder.log(.group(tag: 1))
        var second = folder.reader(2)
        let torn = PurgeLogRecord(.purge(.whole, writer: 9)).bytes.prefix(byteCount)
        try folder.overwrite(Array(torn), at: folder.bytes().count)
        #expect(second.readNew(in: folder.root) == [])
        try folder.log(.group(tag: 2))
        #expect(second.readNew(in: folder.root) == [.group(tag: 2)])
        #expect(try folder.bytes().count == 3 * PurgeLogRecord.byteCount)
    }

    @Test func damagedRecord_isPurgeOfEverything() throws {
        try folder.log(.group(tag: 1))
        var second = folder.reader(2)
        try folder.log(.group(tag: 2))
        try folder.log(.group(tag: 3))
        try folder.damage(at: 2 * PurgeLogRecord.byteCount + 30)
        #expect(second.readNew(in: folder.root) == [.whole, .group(tag: 3)])
    }

    @Test func damagedHead_makesANewFile() throws {
        try folder.log(.group(tag: 1))
        var second = folder.reader(2)
        try folder.damage(at: 20)
        try folder.log(.group(tag: 2))
        #expect(second.readNew(in: folder.root) == [.whole, .group(tag: 2)])
        try folder.log(.group(tag: 3))
        #expect(second.readNew(in: folder.root) == [.group(tag: 3)])
    }

    @Test func foreignFile_isReplaced_andNotReadIntoMemory() throws {
        try folder.overwrite([UInt8](repeating: 0x41, count: 10_000), at: 0)
        var second = folder.reader(2)
        try folder.log(.group(tag: 1))
        #expect(second.readNew(in: folder.root) == [.whole, .group(tag: 1)])
        // A hole of four terabytes.
        try folder.overwrite([0x41], at: 4 << 40)
        #expect(second.readNew(in: folder.root) == [.whole])
        try folder.log(.group(tag: 2))
        #expect(second.readNew(in: folder.root) == [.group(tag: 2)])
    }

    @Test func remainsOfAReplacement_areNoObstacle() throws {
        #expect(FileManager.default.createFile(atPath: folder.path + "-new", contents: Data([1, 2, 3])))
        try folder.log(.group(tag: 1))
        var second = folder.reader(2)
        try folder.log(.group(tag: 2))
        #expect(second.readNew(in: folder.root) == [.group(tag: 2)])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "-new"))
    }

    @Test func folderInPlaceOfTheFile_isAnError() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        #expect(throws: Errno.self) { try folder.log(.whole) }
        var second = folder.reader(2)
        #expect(second.readNew(in: folder.root) == [])
    }

    @Test func lockOfAnotherProcess_isWaitedFor_notForEver() throws {
        try folder.log(.group(tag: 1))
        let other = try folder.root.openFile(PurgeLogWriter.path)
        #expect(try other.tryLock())
        #expect(throws: Errno(code: EAGAIN)) { try folder.log(.group(tag: 2)) }
    }

    @Test func manyWritersAtOnce_loseNothing() throws {
        var second = folder.reader(99)
        let path = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        onThreads(4) { thread in
            let writer = UInt64(thread + 1)
            #expect(throws: Never.self) {
                let root = try FileDescriptor.openFolder(path)
                for number in 0..<50 {
                    try PurgeLogWriter(name: writer).append(.group(tag: writer * 1000 + UInt64(number)), in: root)
                }
            }
        }
        let found = second.readNew(in: folder.root)
        #expect(found.count == 200)
        for writer in 1...4 {
            let own = found.filter { if case .group(let tag) = $0 { tag / 1000 == UInt64(writer) } else { false } }
            #expect(own == tags(UInt64(writer * 1000)..<UInt64(writer * 1000 + 50)))
        }
    }
}
