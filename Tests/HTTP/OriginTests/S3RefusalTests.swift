import Bytes
import FakeOrigin
import HTTPMessage
import Reactor
import Synchronization
import Testing

@testable import Origin

/// Requests that S3 refuses, as the session of their credentials is over.
extension S3CredentialTests {
    /// Only the second credentials are good, and the first are a minute old.
    private static func afterAMinute(
        status: Int = 403, answer: @escaping @Sendable (FakeOrigin.Seen, World) -> [FakeOrigin.Step]? = { _, _ in nil },
        _ body: (FakeOrigin, S3Storage, World) throws -> Void
    ) throws {
        try with(
            container,
            answer: { seen, world in
                if let steps = answer(seen, world) { return steps }
                return seen.target == "/abc/k" && isSigned(seen, by: 1) ? .answer(status, "") : nil
            }
        ) { (origin, storage, world) throws in
            // They are too young to be renewed.
            for _ in 0..<2 { #expect(get(storage) != nil) }
            #expect(askedCount(origin) == 1)
            world.ahead.store(61, ordering: .releasing)
            try body(origin, storage, world)
        }
    }

    private static func askedCount(_ origin: FakeOrigin) -> Int { origin.requests.count { $0.target == "/given" } }

    private static func put(_ storage: S3Storage, _ content: ExchangeContent) throws -> OriginError? {
        let place = try S3Location("s3://abc/k")
        return failure { storage.put(place, content, completion: $0) }
    }

    private static func send(_ method: String, _ storage: S3Storage, _ world: World) throws -> OriginError? {
        let place = try S3Location("s3://abc/k")
        switch method {
        case "PUT": return try put(storage, .bytes(SharedBytes([1, 2, 3])))
        case "HEAD": return failure { storage.head(place, completion: $0) }
        case "fetch": return try begin(storage, world).error
        default: return get(storage)
        }
    }

    @Test(arguments: ["GET", "HEAD", "PUT", "fetch"], [400, 401, 403])
    func refusedRequest_isSentAgain_withNewCredentials(_ method: String, _ status: Int) throws {
        try Self.afterAMinute(status: status) { (origin, storage, world) throws in
            #expect(try Self.send(method, storage, world) == nil)
            let sent = Self.objects(origin).dropFirst(2)
            #expect(sent.map { Self.isSigned($0, by: 2) } == [false, true])
            #expect(Set(sent.map(\.method)).count == 1)
            #expect(sent.allSatisfy { $0.content == (method == "PUT" ? [1, 2, 3] : []) })
            #expect(Self.askedCount(origin) == 2)
            #expect(try Self.send(method, storage, world) == nil)
            #expect(Self.objects(origin).count == 5)
        }
    }

    @Test(arguments: ["GET", "HEAD", "PUT", "fetch"])
    func requestThatIsAlwaysRefused_isSentTwice_andOnceWithinAMinute(_ method: String) throws {
        try Self.afterAMinute(answer: { seen, _ in seen.target == "/abc/k" ? .answer(403, "") : nil }) {
            (origin, storage, world) throws in
            let refusal: OriginError = method == "fetch" ? .status(403) : .credentialsUnusable
            #expect(try Self.send(method, storage, world) == refusal)
            #expect(Self.objects(origin).count == 4)
            for _ in 0..<3 { #expect(try Self.send(method, storage, world) == refusal) }
            #expect(Self.objects(origin).count == 7 && Self.askedCount(origin) == 2)
        }
    }

    @Test func manyRefusedRequests_waitForOneAnswer() throws {
        try Self.afterAMinute { (origin, storage, _) throws in
            let place = try S3Location("s3://abc/k")
            let left = Monitor(50)
            for _ in 0..<50 {
                storage.get(place, byteLimit: 100) { result in
                    if case .failure(let error) = result { Issue.record("\(error)") }
                    left.withLock { $0 -= 1 }
                    left.broadcast()
                }
            }
            left.wait { $0 == 0 ? () : nil }
            #expect(Self.askedCount(origin) == 2)
        }
    }

    /// It may be gigabytes.
    @Test func contentOfAFile_isSentOnce_andTheNextRequestHasNewCredentials() throws {
        try Self.afterAMinute { (origin, storage, _) throws in
            let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: 3)
            try file.write([1, 2, 3], at: 0)
            #expect(try Self.put(storage, .file(file)) == .credentialsUnusable)
            #expect(Self.objects(origin).count == 3)
            #expect(Self.get(storage) == nil)
            #expect(Self.isSigned(Self.objects(origin).last, by: 2))
            #expect(Self.askedCount(origin) == 2)
        }
    }

    @Test func newCredentialsThatComeTooLate_areNotUsedForTheRefusedRequest() throws {
        try Self.afterAMinute(
            answer: { seen, world in
                // When they are asked for the second time, the minute of the request goes by.
                if seen.target == "/given", world.count.withLock({ $0 }) == 1 {
                    world.ahead.store(200, ordering: .releasing)
                }
                return nil
            }
        ) { (origin, storage, _) throws in
            #expect(Self.get(storage) == .credentialsUnusable)
            #expect(Self.objects(origin).count == 3)
        }
    }

    /// The minute of the fetch is over before there are any: its answer is the refusal.
    @Test func refusedFetch_endsInItsTime_whileNewCredentialsAreAwaited() throws {
        try Self.afterAMinute(
            answer: { seen, world in
                seen.target == "/given" && world.count.withLock { $0 } == 1 ? [.wait("never")] : nil
            }
        ) { (origin, storage, world) throws in
            let pending = try Self.begin(storage, world)
            origin.waitForRequests(5)
            world.ahead.store(200, ordering: .releasing)
            // The thread sleeps by the clock of the machine.
            try #require(world.fetcher.withLock { $0 }).wake(after: .zero) {}
            #expect(pending.error == .status(403))
            #expect(world.faults.withLock { $0 } == [])
        }
    }

    /// Another program renews the file of a profile, which is read again each minute: not only then.
    @Test func refusedProfile_isReadAgainAtOnce_andTheSameKeysAreNoReason() throws {
        let file = try TextFile("[a]\naws_access_key_id=KEY1\naws_secret_access_key=hush\naws_session_token=hush+1=\n")
        let refused = Atomic(0)
        try Self.with(
            { _ in .profile("a", path: file.path) },
            answer: { seen, _ in
                Self.isSigned(seen, by: refused.load(ordering: .acquiring)) ? .answer(403, "") : nil
            }
        ) { (origin, storage, world) throws in
            for seconds in [0, 61] {
                world.ahead.store(seconds, ordering: .releasing)
                #expect(Self.get(storage) == nil)
            }
            try file.write("[a]\naws_access_key_id=KEY2\naws_secret_access_key=hush\naws_session_token=hush+2=\n")
            refused.store(1, ordering: .releasing)
            world.ahead.store(70, ordering: .releasing)
            #expect(Self.get(storage) == nil)
            #expect(Self.objects(origin).suffix(2).map { Self.isSigned($0, by: 2) } == [false, true])
            refused.store(2, ordering: .releasing)
            world.ahead.store(131, ordering: .releasing)
            #expect(Self.get(storage) == .credentialsUnusable)
            #expect(Self.objects(origin).count == 5)
        }
    }
}
