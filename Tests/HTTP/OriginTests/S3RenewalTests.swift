import FakeOrigin
import HTTPMessage
import Reactor
import Synchronization
import Testing

@testable import Origin

/// When credentials are asked for again.
extension S3CredentialTests {
    @Test func manyRequests_waitForOneAnswer() throws {
        try Self.with(
            Self.container,
            answer: { seen, world in seen.target == "/given" ? [.wait("given")] + .answer(200, world.json()) : nil }
        ) { (origin, storage, _) throws in
            let place = try S3Location("s3://abc/k")
            let left = Monitor(200)
            for _ in 0..<200 {
                storage.head(place) { result in
                    guard case .success = result else { return }
                    left.withLock { $0 -= 1 }
                    left.broadcast()
                }
            }
            origin.waitForRequests(1)
            origin.release("given")
            left.wait { $0 == 0 ? () : nil }
            #expect(origin.requests.count { $0.target == "/given" } == 1)
        }
    }

    @Test func credentials_areRenewedBeforeTheyExpire_andOldOnesServeUntilThen() throws {
        try Self.with(Self.container) { (origin, storage, world) throws in
            func numbers() -> [String] {
                Self.objects(origin).map { seen in
                    String((seen.fields["x-amz-security-token"] ?? "").dropFirst(5).dropLast())
                }
            }
            #expect(Self.get(storage) == nil)
            // Five minutes are left of an hour, and there are no new ones yet.
            world.isFailing.store(true, ordering: .releasing)
            world.ahead.store(3_301, ordering: .releasing)
            #expect(Self.get(storage) == nil)
            world.faults.wait { $0.isEmpty ? nil : () }
            #expect(Self.get(storage) == nil)
            #expect(numbers() == ["1", "1", "1"])
            world.isFailing.store(false, ordering: .releasing)
            // A failure rests for five seconds.
            world.ahead.store(3_400, ordering: .releasing)
            // Until the new ones are there: the time of a request on its way would be over in an instant.
            repeat { #expect(Self.get(storage) == nil) } while numbers().last == "1"
            world.ahead.store(3_601, ordering: .releasing)
            #expect(Self.get(storage) == nil)
            let sent = numbers()
            #expect(sent.starts(with: ["1", "1", "1", "1"]) && sent.suffix(2) == ["2", "2"] && Set(sent).count == 2)
            #expect(world.faults.withLock { $0 } == [.refused(status: 500, code: "")])
            // None are left, and none come.
            world.isFailing.store(true, ordering: .releasing)
            world.ahead.store(9_000, ordering: .releasing)
            for _ in 0..<20 { #expect(Self.get(storage) == .credentialsUnusable) }
            // Each that fails is sent twice.
            #expect(origin.requests.count { $0.target == "/given" } == 6)
            #expect(numbers() == sent)
        }
    }

    @Test func profile_isReadAgain_whenAnotherProgramRenewedIt() throws {
        let file = try TextFile(
            "[other]\naws_access_key_id = KEY9\n\n[a b]\r\naws_access_key_id=KEY1 # mine\n"
                + "aws_secret_access_key = hush\naws_session_token=hush+1=\ns3 =\n  aws_access_key_id = KEY7\n[z]\nregion=x\n"
        )
        try Self.with({ _ in .profile("a b", path: file.path) }) { (origin, storage, world) throws in
            #expect(Self.get(storage) == nil)
            #expect(Self.isSigned(Self.objects(origin).last, by: 1))
            try file.write("[a b]\naws_access_key_id=KEY2\naws_secret_access_key=hush\naws_session_token=hush+2=\n")
            #expect(Self.get(storage) == nil)
            #expect(Self.isSigned(Self.objects(origin).last, by: 1))
            world.ahead.store(61, ordering: .releasing)
            #expect(Self.get(storage) == nil)
            #expect(Self.isSigned(Self.objects(origin).last, by: 2))
        }
    }

    private static let keys = "[a]\naws_access_key_id=KEY1\naws_secret_access_key=hush\naws_session_token=hush+1=\n"

    @Test func keysOfAFile_serveWhileItHasNone() throws {
        let file = try TextFile(Self.keys)
        try Self.with({ _ in .profile("a", path: file.path) }) { (origin, storage, world) throws in
            #expect(Self.get(storage) == nil)
            try file.write("")
            for seconds in [61, 100, 100_000] {
                world.ahead.store(seconds, ordering: .releasing)
                #expect(Self.get(storage) == nil)
                #expect(Self.isSigned(Self.objects(origin).last, by: 1))
            }
            #expect(world.faults.withLock { $0 }.count == 3)
            try file.write("[a]\naws_access_key_id=KEY2\naws_secret_access_key=hush\naws_session_token=hush+2=\n")
            world.ahead.store(100_010, ordering: .releasing)
            #expect(Self.get(storage) == nil)
            #expect(Self.isSigned(Self.objects(origin).last, by: 2))
        }
    }

    static func begin(_ storage: S3Storage, _ world: World) throws -> PendingFetch {
        let fetcher = try #require(world.fetcher.withLock { $0 })
        return fetcher.begin(try storage.fetchRequest(try S3Location("s3://abc/k"), byteLimit: 100))
    }

    @Test func lifetime_isCountedByTheClockOfTheServer() throws {
        try Self.with(
            Self.container,
            answer: { seen, world in
                guard seen.target == "/given" else { return nil }
                // A day ahead of ours, which was not set yet.
                return .answer(200, world.json(seconds: 90_000), "Date: \(HTTPDate.text(Self.start + 86_400))")
            }
        ) { (origin, storage, world) throws in
            #expect(Self.get(storage) == nil)
            world.ahead.store(3_601, ordering: .releasing)
            #expect(Self.get(storage) == nil)
            #expect(Self.isSigned(Self.objects(origin).last, by: 2))
        }
    }

    @Test func instanceInAnOutage_givesOldOnesThatServe() throws {
        try Self.with(
            Self.instance,
            answer: { seen, world in
                seen.target == Self.role + "media" ? .answer(200, world.json(seconds: -10)) : nil
            }
        ) { (origin, storage, world) throws in
            for _ in 0..<3 { #expect(Self.get(storage) == nil) }
            #expect(Self.objects(origin).allSatisfy { Self.isSigned($0, by: 1) })
            #expect(world.faults.withLock { $0 } == [])
        }
    }

    @Test func failureThatPasses_isNoFailure() throws {
        let world = World()
        world.isFailing.store(true, ordering: .releasing)
        try Self.with(
            Self.container, world: world,
            answer: { seen, world in
                guard seen.target == "/given", world.isFailing.exchange(false, ordering: .acquiringAndReleasing) else {
                    return nil
                }
                return .answer(500, "")
            }
        ) { (origin, storage, world) throws in
            #expect(Self.get(storage) == nil)
            #expect(origin.requests.count { $0.target == "/given" } == 2)
            #expect(world.faults.withLock { $0 } == [])
        }
    }

    /// It waited until they had failed by limits of their own.
    @Test func fetch_endsInItsTime_whileCredentialsAreAwaited() throws {
        try Self.with(
            Self.container, total: .milliseconds(100),
            answer: { seen, world in seen.target == "/given" ? [.wait("given")] + .answer(200, world.json()) : nil }
        ) { (origin, storage, world) throws in
            #expect(try Self.begin(storage, world).error == .timedOut)
            #expect(Self.objects(origin).isEmpty)
            #expect(world.faults.withLock { $0 } == [])
            // Others still wait for what was asked for then.
            origin.release("given")
            #expect(Self.get(storage) == nil)
            #expect(origin.requests.map(\.target) == ["/given", "/abc/k"])
        }
    }

    @Test func stop_closesTheConnectionOfARenewal() throws {
        try withTrialOrigin({ _ in [.wait("given"), .endless] }) { origin in
            do {
                let fetcher = try Fetcher.onLoopback([])
                let service = S3Service(
                    endpoint: try OriginURL(origin.url()), credentials: try Self.container(origin), buckets: ["abc"])
                let place = try S3Location("s3://abc/k")
                S3Storage(service, fetcher: fetcher).head(place) { _ in }
                origin.waitForRequests(1)
                fetcher.stop()
            }
            origin.release("given")
            // What is sent over a connection that is open, and that nobody reads, would wait for ever.
            origin.waitUntilClosed()
        }
    }
}
