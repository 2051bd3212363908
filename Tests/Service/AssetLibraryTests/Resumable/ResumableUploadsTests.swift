import AssetLibrary
import Foundation
import Glibc
import Reactor
import Synchronization
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(5))) struct ResumableUploadsTests {
    /// A folder for uploads, with a clock that begins at the system's time.
    private final class Place {
        let folder: TemporaryFolder
        let ahead = SharedOffset()

        init() throws { folder = try TemporaryFolder() }

        final class SharedOffset: Sendable {
            let seconds = Atomic<Int64>(0)
        }

        var clock: Clock {
            let ahead = ahead
            return Clock(
                monotonic: Clock.system.monotonic,
                unixSeconds: { Clock.system.unixSeconds() + ahead.seconds.load(ordering: .relaxed) })
        }

        func open(_ adjust: (inout ResumableSettings) -> Void = { _ in }) throws -> ResumableUploads {
            var settings = ResumableSettings(
                path: folder.at("resumable"), byteLimit: 1000, totalByteLimit: 2500, lifetimeSeconds: 100, clock: clock)
            adjust(&settings)
            return try ResumableUploads(settings)
        }

        func wait(_ seconds: Int64) { ahead.seconds.add(seconds, ordering: .relaxed) }

        var names: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.at("resumable"))) ?? []).sorted()
        }

        func bytes(of token: String) -> [UInt8]? {
            FileManager.default.contents(atPath: folder.at("resumable/\(token).data")).map(Array.init)
        }
    }

    private let place: Place

    init() throws { place = try Place() }

    private func error<Value>(_ body: () throws -> Value) -> ResumableError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? ResumableError
        }
    }

    private static func read(_ file: SharedFile) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: file.byteCount)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(Errno) in try file.read(into: buffer, from: 0) }
        }
        return Array(bytes.prefix(try result.get()))
    }

    // MARK: The life of an upload

    @Test func uploadGrowsPieceByPiece_andBecomesAnAsset() throws {
        let uploads = try place.open()
        let metadata = try #require(UploadMetadata("filename Y2F0LmpwZw=="))
        let token = try uploads.create(length: 10, metadata: metadata).token
        #expect(token.utf8.count == 22)
        var first: UploadAppender? = try uploads.append(to: token, at: 0)
        try first?.write(Array("hel".utf8), at: 0)
        try first?.write(Array("lo".utf8), at: 3)
        #expect(try uploads.state(of: token).offset == 5)
        #expect(place.bytes(of: token) == Array("hello".utf8))
        first = nil
        let second = try uploads.append(to: token, at: 5)
        try second.write(Array("world".utf8), at: 0)
        #expect(try uploads.state(of: token).isComplete)
        #expect(try Self.read(second.content()) == Array("helloworld".utf8))
        #expect(second.start.metadata.fileName == "cat.jpg")
        second.finish(as: "~abc", byteCount: 10)
        #expect(try uploads.state(of: token).assetID == "~abc")
        #expect(place.names == ["\(token).info"])
        #expect(uploads.openCounts == (0, 0))
    }

    @Test func oneAtATimeWrites() throws {
        let uploads = try place.open()
        let token = try uploads.create(length: 10, metadata: .none).token
        var appender: UploadAppender? = try uploads.append(to: token, at: 0)
        #expect(appender != nil)
        #expect(error { try uploads.append(to: token, at: 0) } == .busy)
        #expect(error { try uploads.remove(token) } == .busy)
        appender = nil
        _ = try uploads.append(to: token, at: 0)
        try uploads.remove(token)
        #expect(place.names == [])
        #expect(error { try uploads.append(to: token, at: 0) } == .notFound)
        #expect(error { try uploads.remove(token) } == .notFound)
        #expect(error { try uploads.state(of: token) } == .notFound)
    }

    @Test func appenderThatIsGivenUp_isOfNoMoreUse_andOthersMayWrite() throws {
        let uploads = try place.open()
        let token = try uploads.create(length: 10, metadata: .none).token
        let first = try uploads.append(to: token, at: 0)
        try first.write([1], at: 0)
        first.giveUp()
        var second: UploadAppender? = try uploads.append(to: token, at: 1)
        #expect(throws: Errno.invalidArgument) { try first.write([2], at: 1) }
        // That the first one ends is nothing to the second.
        first.giveUp()
        #expect(error { try uploads.append(to: token, at: 1) } == .busy)
        try second?.write([2], at: 0)
        second = nil
        #expect(place.bytes(of: token) == [1, 2])
        #expect(try uploads.state(of: token).offset == 2)
    }

    @Test func wrongOffset_isToldTheRightOne() throws {
        let uploads = try place.open()
        let token = try uploads.create(length: 10, metadata: .none).token
        try uploads.append(to: token, at: 0).write([1, 2, 3], at: 0)
        for offset in [0, 2, 4, 10, -1, .max] {
            #expect(error { try uploads.append(to: token, at: offset) } == .wrongOffset(expected: 3))
        }
    }

    @Test func nothingIsWrittenBehindTheEnd() throws {
        let uploads = try place.open()
        let token = try uploads.create(length: 3, metadata: .none).token
        let appender = try uploads.append(to: token, at: 0)
        #expect(throws: Errno.invalidArgument) { try appender.write([1, 2, 3, 4], at: 0) }
        #expect(throws: Errno.invalidArgument) { try appender.write([1], at: .max) }
        try appender.write([1, 2, 3], at: 0)
        #expect(throws: Errno.invalidArgument) { try appender.write([4], at: 3) }
        #expect(place.bytes(of: token) == [1, 2, 3])
    }

    @Test func discardedUpload_isGone() throws {
        let uploads = try place.open()
        let token = try uploads.create(length: 3, metadata: .none).token
        try uploads.append(to: token, at: 0).discard()
        #expect(place.names == [])
        #expect(uploads.openCounts == (0, 0))
        #expect(error { try uploads.state(of: token) } == .notFound)
    }

    // MARK: What a restart finds

    @Test func uploads_areFoundAgain_withWhatIsOnDisk() throws {
        let metadata = try #require(UploadMetadata("filename Y2F0,a,b Yg=="))
        var before = try place.open()
        let open = try before.create(length: 10, metadata: metadata).token
        // As after a kill: the appender never ends.
        let appender = try before.append(to: open, at: 0)
        try appender.write([1, 2, 3, 4], at: 0)
        let done = try before.create(length: 2, metadata: .none).token
        let ending = try before.append(to: done, at: 0)
        try ending.write([1, 2], at: 0)
        ending.finish(as: "~done", byteCount: 2)
        before = try place.open()
        let state = try before.state(of: open)
        #expect(state.offset == 4 && state.length == 10 && state.metadata == metadata && state.assetID == nil)
        #expect(try before.state(of: done).assetID == "~done" && before.state(of: done).isComplete)
        #expect(before.openCounts == (1, 10))
        let next = try before.append(to: open, at: 4)
        try next.write([5], at: 0)
        #expect(place.bytes(of: open) == [1, 2, 3, 4, 5])
    }

    @Test func completeUploadThatIsNoAssetYet_canBeFinishedAfterARestart() throws {
        let token = try {
            let uploads = try place.open()
            let token = try uploads.create(length: 2, metadata: .none).token
            try uploads.append(to: token, at: 0).write([1, 2], at: 0)
            return token
        }()
        let uploads = try place.open()
        #expect(try uploads.state(of: token).isComplete && uploads.state(of: token).assetID == nil)
        #expect(try Self.read(uploads.append(to: token, at: 2).content()) == [1, 2])
    }

    @Test func whatIsNoUpload_isRemovedIfItIsOurs_andLeftIfItIsNot() throws {
        _ = try place.open()
        let token = String(repeating: "a", count: 22)
        let others = (1...5).map { "\(token.dropLast())\($0)" }
        let text = Array("veduta-resumable 1\nlength 3\n".utf8)
        // Never told to anybody; half written; of another kind; longer than it may be; without bytes.
        try place.folder.makeFile("resumable/\(others[0]).data")
        try place.folder.makeFile("resumable/\(others[1]).new", text)
        try place.folder.makeFile("resumable/\(others[2]).info", Array("veduta-resumable 2\n".utf8))
        try place.folder.makeFile("resumable/\(others[2]).data")
        try place.folder.makeFile("resumable/\(others[3]).info", text)
        try place.folder.makeFile("resumable/\(others[3]).data", [1, 2, 3, 4])
        try place.folder.makeFile("resumable/\(others[4]).info", text)
        try place.folder.makeFile("resumable/notes.txt")
        try place.folder.makeFile("resumable/\(token).info", text)
        try place.folder.makeFile("resumable/\(token).data", [1, 2])
        let uploads = try place.open()
        #expect(place.names == ["\(token).data", "\(token).info", "notes.txt"])
        #expect(try uploads.state(of: token).offset == 2)
        #expect(uploads.openCounts == (1, 3))
    }

    // MARK: Expiry

    @Test func uploadExpires_whenNothingHappensToIt() throws {
        let uploads = try place.open()
        let token = try uploads.create(length: 10, metadata: .none).token
        place.wait(60)
        try uploads.append(to: token, at: 0).write([1], at: 0)
        place.wait(60)
        #expect(try uploads.state(of: token).offset == 1)
        place.wait(41)
        #expect(error { try uploads.state(of: token) } == .notFound)
        #expect(error { try uploads.append(to: token, at: 1) } == .notFound)
        #expect(error { try uploads.remove(token) } == .notFound)
        // It is removed when the next one begins.
        #expect(place.names.count == 2)
        let next = try uploads.create(length: 10, metadata: .none).token
        #expect(place.names == ["\(next).data", "\(next).info"])
        #expect(uploads.openCounts == (1, 10))
    }

    @Test func uploadThatIsBeingWritten_doesNotExpire() throws {
        let uploads = try place.open()
        let token = try uploads.create(length: 10, metadata: .none).token
        let appender = try uploads.append(to: token, at: 0)
        place.wait(1000)
        uploads.removeExpired()
        try appender.write([1], at: 0)
        #expect(try uploads.state(of: token).offset == 1)
    }

    @Test func expiredUploads_areRemovedAtTheStart() throws {
        let uploads = try place.open()
        let done = try uploads.create(length: 1, metadata: .none).token
        let ending = try uploads.append(to: done, at: 0)
        try ending.write([1], at: 0)
        ending.finish(as: "~done", byteCount: 1)
        _ = try uploads.create(length: 10, metadata: .none)
        place.wait(50)
        _ = try place.open()
        #expect(place.names.count == 3)
        place.wait(52)
        _ = try place.open()
        #expect(place.names == [])
    }

    // MARK: Bounds

    @Test func bounds_areHeld_andRoomIsMadeByEnding() throws {
        let uploads = try place.open { $0.countLimit = 4 }
        #expect(error { try uploads.create(length: 1001, metadata: .none) } == .tooLarge(limit: 1000))
        let tokens = try (0..<2).map { _ in try uploads.create(length: 1000, metadata: .none).token }
        #expect(error { try uploads.create(length: 501, metadata: .none) } == .full(limit: 2500))
        _ = try (0..<2).map { _ in try uploads.create(length: 250, metadata: .none) }
        #expect(error { try uploads.create(length: 0, metadata: .none) } == .tooMany(limit: 4))
        try uploads.remove(tokens[0])
        _ = try uploads.create(length: 1000, metadata: .none)
        #expect(uploads.openCounts == (4, 2500))
    }

    @Test func completeUploads_areForgottenOldestFirst() throws {
        let uploads = try place.open { $0.countLimit = 3 }
        var tokens: [String] = []
        for number in 0..<5 {
            let token = try uploads.create(length: 1, metadata: .none).token
            let appender = try uploads.append(to: token, at: 0)
            try appender.write([UInt8(number)], at: 0)
            appender.finish(as: "~\(number)", byteCount: 1)
            tokens.append(token)
            place.wait(1)
        }
        #expect(error { try uploads.state(of: tokens[1]) } == .notFound)
        #expect(try tokens[2...].map { try uploads.state(of: $0).assetID } == ["~2", "~3", "~4"])
        #expect(place.names.count == 3)
        #expect(uploads.openCounts == (0, 0))
    }

    @Test func manyAtOnce_neitherMixNorCountTwice() throws {
        let uploads = try place.open { ($0.countLimit, $0.totalByteLimit) = (64, 64 * 300) }
        onThreads(64) { number in
            #expect(throws: Never.self) {
                let token = try uploads.create(length: 300, metadata: .none).token
                for start in stride(from: 0, to: 300, by: 100) {
                    let bytes = [UInt8](repeating: UInt8(number), count: 100)
                    try uploads.append(to: token, at: start).write(bytes, at: 0)
                }
                let appender = try uploads.append(to: token, at: 300)
                let bytes = try Self.read(appender.content())
                #expect(bytes == [UInt8](repeating: UInt8(number), count: 300))
                if number.isMultiple(of: 2) {
                    appender.finish(as: "~\(number)", byteCount: 300)
                } else {
                    appender.discard()
                }
            }
        }
        #expect(uploads.openCounts == (0, 0))
        #expect(place.names.count == 32)
    }

    #if DEBUG
        /// In a process of its own, as forced errors are the process's.
        @Test func failedWrite_leavesTheUploadWithWhatIsOnDisk() async {
            await #expect(processExitsWith: .success) {
                let place = try Place()
                let uploads = try place.open()
                let token = try uploads.create(length: 10, metadata: .none).token
                var appender: UploadAppender? = try uploads.append(to: token, at: 0)
                try appender?.write([1, 2], at: 0)
                ForcedErrors.arm(.writeSpool, first: 1, code: ENOSPC)
                #expect(throws: Errno(code: ENOSPC)) { try appender?.write([3, 4], at: 2) }
                ForcedErrors.disarm()
                appender = nil
                #expect(try uploads.state(of: token).offset == 2)
                // Neither the files nor the count of one that could not be begun are left.
                for call in [FaultableCall.diskOpen, .diskWrite, .diskRename] {
                    for number in 1...2 {
                        ForcedErrors.arm(call, first: number, code: ENOSPC)
                        do {
                            let made = try uploads.create(length: 1, metadata: .none)
                            try uploads.remove(made.token)
                        } catch {
                            #expect(error as? ResumableError == .noRoom)
                        }
                        ForcedErrors.disarm()
                        #expect(uploads.openCounts == (1, 10))
                        #expect(place.names == ["\(token).data", "\(token).info"])
                    }
                }
            }
        }
    #endif

    /// As the IETF draft has it: nobody knows how long it will be before it is complete.
    @Test func openUpload_withATarget_survivesARestart_andHasItsLengthInTheEnd() throws {
        let target = UploadTarget(id: "a/ü b.png", ifMatch: nil, ifNoneMatch: "*")
        let token: String
        do {
            let uploads = try place.open()
            let appender = try uploads.reserve(length: nil, target: target)
            token = appender.start.token
            #expect(place.names.isEmpty && uploads.openCounts.byteCount == 1000)
            try appender.write([1, 2, 3], at: 0)
            #expect(place.names == ["\(token).data", "\(token).info"])
            #expect(!(try uploads.state(of: token).isComplete))
        }
        let uploads = try place.open()
        let state = try uploads.state(of: token)
        #expect(state.isOpen && state.offset == 3 && state.target == target)
        let appender = try uploads.append(to: token, at: 3)
        try appender.write([4], at: 0)
        appender.finish(as: "~x", byteCount: 4)
        appender.giveUp()
        let ended = try uploads.state(of: token)
        #expect(ended.isComplete && ended.length == 4 && ended.assetID == "~x" && uploads.openCounts.count == 0)
        #expect(try place.open().state(of: token).length == 4)
    }

    /// A field without a value, a mark that combines with what stands before it, and one as long as a head may be.
    @Test func whatAClientSays_survivesARestart_whateverItIs() throws {
        let long = String(repeating: "\u{FFFD}", count: 16_000)
        for target in [
            UploadTarget(id: "a.png", ifMatch: "", ifNoneMatch: nil),
            UploadTarget(
                id: "a.png", ifMatch: nil, ifNoneMatch: nil, ifUnmodifiedSince: "Sat, 21 Nov 2026 13:00:00 GMT"),
            UploadTarget(id: "\u{301}a.png", ifMatch: "\u{301}", ifNoneMatch: long),
        ] {
            let token: String
            do {
                let uploads = try place.open()
                let appender = try uploads.reserve(length: 1, target: target)
                token = appender.start.token
                try appender.make()
            }
            let uploads = try place.open()
            #expect(try uploads.state(of: token).target == target)
            let appender = try uploads.append(to: token, at: 0)
            try appender.write([1], at: 0)
            appender.finish(as: target.id, byteCount: 1)
            appender.giveUp()
            #expect(try place.open().state(of: token).assetID == target.id)
        }
    }

    @Test func reservedUpload_isForgotten_unlessItIsMade() throws {
        let uploads = try place.open()
        let token: String
        do {
            let appender = try uploads.reserve(length: 10)
            token = appender.start.token
            #expect(error { try uploads.append(to: token, at: 0) } == .busy)
        }
        #expect(error { try uploads.state(of: token) } == .notFound)
        #expect(uploads.openCounts.count == 0 && place.names.isEmpty)
        let made = try uploads.reserve(length: 10)
        try made.make()
        try made.make()
        made.giveUp()
        #expect(try uploads.state(of: made.start.token).offset == 0)
        #expect(throws: Errno.self) { try uploads.reserve(length: 10).writeAfterGivingUp() }
    }
}

extension UploadAppender {
    fileprivate func writeAfterGivingUp() throws(Errno) {
        giveUp()
        try write([1], at: 0)
    }
}
