import Bytes
import Digest
import FakeOrigin
import HTTPMessage
import Reactor
import Synchronization
import Testing

@testable import Origin

/// Large files, which S3 gets in parts.
@Suite(.timeLimit(.minutes(5))) struct S3PartsTests {
    private static let bytes = (0..<2_500).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private static func file(_ bytes: [UInt8], byteCount: Int? = nil) throws -> SharedFile {
        let file = SharedFile(
            adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: byteCount ?? bytes.count)
        try file.write(bytes, at: 0)
        return file
    }

    private static func place() throws -> S3Location { try S3Location("s3://abc/k") }

    /// Files of more than 1,000 bytes go in parts of 1,000.
    private static func with(
        lost: @escaping FakeBucket.Fault = { _ in nil }, fault: @escaping FakeBucket.Fault = { _ in nil },
        _ body: (FakeBucket, S3Storage) throws -> Void
    ) throws {
        let bucket = try FakeBucket("abc", lost: lost, fault: fault)
        defer { bucket.stop() }
        let fetcher = try Fetcher.onLoopback(["http://other.test"])
        defer { fetcher.stop() }
        let service = S3Service(
            endpoint: try OriginURL(bucket.url), credentials: .keys(S3Credentials(id: "me", secret: "hush")),
            buckets: ["abc"])
        var rules = S3PartRules()
        (rules.singleByteCount, rules.partByteCount) = (1_000, 1_000)
        rules.pause = .milliseconds(1)
        let storage = S3Storage(service, fetcher: fetcher, parts: rules)
        try body(bucket, storage)
    }

    private static func put(_ storage: S3Storage, ifAbsent: Bool = false) throws -> OriginError? {
        let (place, file) = (try Self.place(), try Self.file(bytes))
        return failure { storage.put(place, .file(file), ifAbsent: ifAbsent, completion: $0) }
    }

    /// Waits until nothing is left to do.
    private static func expectNothingIsLeft(_ bucket: FakeBucket, _ storage: S3Storage) {
        let deadline = Clock.system.monotonic() + .seconds(120)
        while storage.running.count > 0, Clock.system.monotonic() < deadline { Processors.pause(.milliseconds(5)) }
        #expect(storage.running.count == 0)
        storage.stopUploads(within: .zero)
        #expect(bucket.openUploadCount == 0)
    }

    private static func isPart(_ seen: FakeOrigin.Seen, _ number: Int) -> Bool {
        seen.method == "PUT" && seen.target.contains("partNumber=\(number)&")
    }

    private static func isCompletion(_ seen: FakeOrigin.Seen) -> Bool {
        seen.method == "POST" && seen.target.contains("uploadId=")
    }

    @Test func largeFile_goesInParts_eachWithItsDigest() throws {
        try Self.with { (bucket, storage) throws in
            let (place, file) = (try Self.place(), try Self.file(Self.bytes))
            let tag = try wait { storage.put(place, .file(file), contentType: "image/png", completion: $0) }
            let object = try #require(bucket.objects["k"])
            #expect(object.content == Self.bytes && object.entityTag == tag && object.contentType == "image/png")
            let seen = bucket.requests
            try #require(seen.map(\.method) == ["POST", "PUT", "PUT", "PUT", "POST"])
            #expect(seen[0].target == "/abc/k?uploads=" && seen[0].fields["content-length"] == "0")
            #expect(seen[3].target == "/abc/k?partNumber=3&uploadId=upload-1")
            #expect(seen[1...3].map(\.content.count) == [1_000, 1_000, 500])
            for one in seen {
                #expect(one.fields["x-amz-content-sha256"] == SHA256.digest(of: one.content).hex)
                #expect(one.fields["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=me/") == true)
            }
            Self.expectNothingIsLeft(bucket, storage)
        }
    }

    @Test func smallFile_isOneRequest() throws {
        try Self.with { (bucket, storage) throws in
            let (place, file) = (try Self.place(), try Self.file(Array(Self.bytes[..<1_000])))
            _ = try wait { storage.put(place, .file(file), completion: $0) }
            #expect(bucket.requests.map(\.method) == ["PUT"])
            #expect(bucket.objects["k"]?.content.count == 1_000)
        }
    }

    @Test(arguments: [1, 16 << 20, (16 << 20) + 1, 5 << 30, 10_000 * (16 << 20) + 1, 5 << 40])
    func parts_areNotTooMany_andCoverTheContent(_ byteCount: Int) {
        let ranges = S3PartRules().ranges(of: byteCount)
        #expect(ranges.count <= 10_000 && ranges.first?.lowerBound == 0 && ranges.last?.upperBound == byteCount)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(ranges.dropLast().allSatisfy { $0.count >= 16 << 20 } && ranges.allSatisfy { $0.count <= 5 << 30 })
    }

    @Test(arguments: [0, 500, 503])
    func partThatBreaks_isSentAgain(_ status: Int) throws {
        let left = Atomic(2)
        try Self.with(fault: { seen in
            guard Self.isPart(seen, 2), left.subtract(1, ordering: .relaxed).newValue >= 0 else { return nil }
            return status == 0 ? [.reset] : FakeBucket.error(status, "SlowDown")
        }) { (bucket, storage) throws in
            #expect(try Self.put(storage) == nil)
            #expect(bucket.objects["k"]?.content == Self.bytes)
            #expect(bucket.requests.count { Self.isPart($0, 2) } == 3)
            #expect(bucket.requests.count { Self.isPart($0, 1) } == 1)
            Self.expectNothingIsLeft(bucket, storage)
        }
    }

    @Test(
        arguments: [
            (500, 3, .status(500)), (400, 1, .status(400)), (403, 1, .credentialsUnusable),
        ] as [(Int, Int, OriginError)])
    func partThatIsNotTaken_abortsTheUpload(_ status: Int, _ attempts: Int, _ error: OriginError) throws {
        try Self.with(fault: { Self.isPart($0, 2) ? FakeBucket.error(status, "-") : nil }) {
            (bucket, storage) throws in
            #expect(try Self.put(storage) == error)
            Self.expectNothingIsLeft(bucket, storage)
            #expect(bucket.objects.isEmpty)
            #expect(bucket.requests.count { Self.isPart($0, 2) } == attempts)
            #expect(!bucket.requests.contains { Self.isPart($0, 3) })
            #expect(bucket.requests.count { $0.method == "DELETE" } == 1)
        }
    }

    @Test func abortThatFails_isRepeated() throws {
        let left = Atomic(1)
        try Self.with(fault: { seen in
            if Self.isPart(seen, 1) { return FakeBucket.error(400, "-") }
            guard seen.method == "DELETE", left.subtract(1, ordering: .relaxed).newValue >= 0 else { return nil }
            return FakeBucket.error(503, "SlowDown")
        }) { (bucket, storage) throws in
            #expect(try Self.put(storage) == .status(400))
            Self.expectNothingIsLeft(bucket, storage)
            #expect(bucket.requests.count { $0.method == "DELETE" } == 2)
        }
    }

    @Test func failures_areBoundedForTheWholeUpload() throws {
        let count = Atomic(0)
        // Each request fails the first time; an upload of 20 parts would be too many for that.
        try Self.with(fault: { _ in
            count.add(1, ordering: .relaxed).newValue.isMultiple(of: 2) ? nil : FakeBucket.error(503, "SlowDown")
        }) { (bucket, storage) throws in
            let (place, file) = (try Self.place(), try Self.file([UInt8](repeating: 7, count: 20_000)))
            #expect(failure { storage.put(place, .file(file), completion: $0) } == .status(503))
            Self.expectNothingIsLeft(bucket, storage)
            // Ten were repeated, ten done, and the eleventh failure ends it.
            #expect(bucket.requests.count { $0.method != "DELETE" } == 21)
        }
    }

    // MARK: Completion

    @Test(
        arguments: [
            ("InternalError", 3, .status(500)), ("SlowDown", 3, .status(503)), ("InvalidPart", 1, .status(400)),
            ("PreconditionFailed", 1, .status(412)), ("AccessDenied", 1, .credentialsUnusable),
            ("NoSuchUpload", 1, .notFound),
        ] as [(String, Int, OriginError)])
    func errorWithinAnAnswer200_isAnError(_ code: String, _ attempts: Int, _ error: OriginError) throws {
        try Self.with(fault: { Self.isCompletion($0) ? FakeBucket.error(200, code) : nil }) {
            (bucket, storage) throws in
            #expect(try Self.put(storage) == error)
            Self.expectNothingIsLeft(bucket, storage)
            #expect(bucket.objects.isEmpty)
            #expect(bucket.requests.count { Self.isCompletion($0) } == attempts)
        }
    }

    @Test(arguments: ["", "no XML", "<Other/>", "<CompleteMultipartUploadResult>", "<Error><Code>"])
    func answerThatIsNoCompletion_isAnError(_ content: String) throws {
        try Self.with(fault: { Self.isCompletion($0) ? .answer(200, content) : nil }) { (bucket, storage) throws in
            #expect(try Self.put(storage) == .notHTTP)
            Self.expectNothingIsLeft(bucket, storage)
        }
    }

    @Test(arguments: [
        "", "<Other><UploadId>a</UploadId></Other>", "<InitiateMultipartUploadResult/>",
        "<InitiateMultipartUploadResult><UploadId></UploadId></InitiateMultipartUploadResult>",
        "<InitiateMultipartUploadResult><a><UploadId>a</UploadId></a></InitiateMultipartUploadResult>",
        "<InitiateMultipartUploadResult><UploadId>\(String(repeating: "a", count: 1_025))</UploadId>"
            + "</InitiateMultipartUploadResult>",
        String(repeating: "<a>", count: 1_000),
    ])
    func answerThatNamesNoUpload_isRefused(_ xml: String) {
        #expect(S3MultipartXML.uploadID(Array(xml.utf8)) == nil)
    }

    @Test func completionThatFailsOnce_isRepeated() throws {
        let left = Atomic(1)
        try Self.with(fault: { seen in
            guard Self.isCompletion(seen), left.subtract(1, ordering: .relaxed).newValue >= 0 else { return nil }
            return FakeBucket.error(200, "InternalError")
        }) { (bucket, storage) throws in
            #expect(try Self.put(storage) == nil)
            #expect(bucket.objects["k"]?.content == Self.bytes)
        }
    }

    /// An object of that name and length that was there before is not taken for the new one.
    @Test(arguments: [false, true]) func uploadThatIsGone_isNoSuccess_whateverIsThere(_ ifAbsent: Bool) throws {
        let count = Atomic(0)
        try Self.with(fault: { seen in
            guard Self.isCompletion(seen) else { return nil }
            let isFirst = count.add(1, ordering: .relaxed).newValue == 1
            return isFirst ? FakeBucket.error(500, "InternalError") : FakeBucket.error(404, "NoSuchUpload")
        }) { (bucket, storage) throws in
            let old = [UInt8](repeating: 9, count: Self.bytes.count)
            bucket.put("k", old)
            #expect(try Self.put(storage, ifAbsent: ifAbsent) == (ifAbsent ? .status(412) : .broken))
            Self.expectNothingIsLeft(bucket, storage)
            #expect(bucket.objects["k"]?.content == old)
        }
    }

    /// The condition fails for the upload's own object.
    @Test func completionWhoseAnswerIsLost_meetsItsOwnObject() throws {
        let count = Atomic(0)
        try Self.with(lost: { seen in
            guard Self.isCompletion(seen) else { return nil }
            return count.add(1, ordering: .relaxed).newValue == 1
                ? [.reset] : FakeBucket.error(412, "PreconditionFailed")
        }) { (bucket, storage) throws in
            #expect(try Self.put(storage, ifAbsent: true) == nil)
            #expect(bucket.objects["k"]?.content == Self.bytes)
        }
    }

    @Test func completionWhoseAnswerIsLost_isFoundOut() throws {
        let left = Atomic(1)
        try Self.with(lost: { seen in
            Self.isCompletion(seen) && left.subtract(1, ordering: .relaxed).newValue >= 0 ? [.reset] : nil
        }) { (bucket, storage) throws in
            let (place, file) = (try Self.place(), try Self.file(Self.bytes))
            let tag = try wait { storage.put(place, .file(file), completion: $0) }
            #expect(bucket.objects["k"]?.content == Self.bytes && bucket.objects["k"]?.entityTag == tag)
            #expect(bucket.requests.last?.method == "HEAD")
            Self.expectNothingIsLeft(bucket, storage)
        }
    }

    @Test func objectThatIsThere_isNotReplaced_ifItMustBeAbsent() throws {
        try Self.with { (bucket, storage) throws in
            let place = try Self.place()
            _ = try wait { storage.put(place, .bytes(SharedBytes([1])), completion: $0) }
            #expect(try Self.put(storage, ifAbsent: true) == .status(412))
            #expect(bucket.requests.last { Self.isCompletion($0) }?.fields["if-none-match"] == "*")
            Self.expectNothingIsLeft(bucket, storage)
            #expect(bucket.objects["k"]?.content == [1])
        }
    }

    // MARK: Ends

    @Test func stop_abortsWhatRuns_andTakesNoMore() throws {
        try Self.with(fault: { Self.isPart($0, 2) ? [.wait("for ever")] : nil }) { (bucket, storage) throws in
            let (place, file) = (try Self.place(), try Self.file(Self.bytes))
            let outcome = Monitor<Result<String, OriginError>?>(nil)
            storage.put(place, .file(file)) { result in
                outcome.withLock { $0 = result }
                outcome.broadcast()
            }
            bucket.waitForRequests(3)
            storage.stopUploads(within: .seconds(120))
            Self.expectNothingIsLeft(bucket, storage)
            #expect(outcome.wait { $0 } == .failure(.cancelled))
            #expect(bucket.objects.isEmpty)
            #expect(try Self.put(storage) == .cancelled)
        }
    }

    @Test func fileThatWasCut_isNotSent() throws {
        try Self.with { (bucket, storage) throws in
            let (place, file) = (try Self.place(), try Self.file(Self.bytes, byteCount: 4_000))
            #expect(failure { storage.put(place, .file(file), completion: $0) } == .notKept)
            #expect(bucket.requests.isEmpty)
        }
    }

    /// A part is small enough to be sent again with new credentials, a whole file is not.
    @Test func partOfAFile_mayBeSignedAgain() throws {
        let file = try Self.file(Self.bytes)
        let service = S3Service(
            endpoint: try OriginURL("http://a.test"), credentials: .keys(S3Credentials(id: "me", secret: "hush")),
            buckets: ["abc"])
        var request = ExchangeRequest(try OriginURL("http://a.test/abc/k"))
        request.signer = service.signer(for: "abc")
        request.content = .part(file, 0..<10)
        #expect(request.mayBeSignedAgain)
        request.content = .file(file)
        #expect(!request.mayBeSignedAgain)
    }
}
