import Bytes
import HTTPMessage
import Origin
import Reactor
import ResponseCache
import Synchronization
import Testing
import Digest

@testable import OriginCache

/// What is held of other servers, without one: events in, steps out, time passed in.
@Suite(.timeLimit(.minutes(5))) struct FetchTableTests {
    static let start: Int64 = 1_800_000_000
    static let instant = Clock.system.monotonic()

    static func rules(_ adjust: (inout OriginRules) -> Void = { _ in }) -> OriginRules {
        var rules = OriginRules(.memory)
        adjust(&rules)
        return rules
    }

    static func item(_ number: Int, host: String = "example.org") throws -> OriginItem {
        let url = try OriginURL("https://\(host)/\(number)")
        return OriginItem(
            key: CacheKey(SHA256.digest(of: url.description)), origin: url.origin,
            tag: CacheTag(assetID: url.description))
    }

    static func answer(
        _ cacheControl: String, at time: Int64 = start, _ content: CachedAnswer.Content = .memory(SharedBytes([1]))
    ) -> CachedAnswer {
        var fields = Fields()
        fields.append(.cacheControl, cacheControl)
        fields.append(.entityTag, "\"1\"")
        return CachedAnswer(
            StoredExchange(
                selecting: [Fields()], status: .ok, fields: fields, requestTime: time, responseTime: time,
                contentByteCount: 1), content)
    }

    /// Who waits, and what it was told.
    final class Told: Sendable {
        private let outcomes = Mutex<[String]>([])
        let number: UInt64

        init(_ number: UInt64 = 1) { self.number = number }

        var all: [String] { outcomes.withLock { $0 } }

        func waiter(onlyIfCached: Bool = false, via: [String] = [], client: ClientNetwork? = nil) -> Waiter {
            Waiter(number: number, onlyIfCached: onlyIfCached, via: via, client: client) { [self] outcome in
                outcomes.withLock { $0.append(FetchTableTests.text(outcome)) }
            }
        }
    }

    static func text(_ outcome: FetchOutcome) -> String {
        switch outcome {
        case .found: "found"
        case .absent: "absent"
        case .failed(let failure): "\(failure)"
        }
    }

    /// Tells the waiters of `steps`; the requests that are to be started.
    @discardableResult
    func run(_ steps: [FetchTable.Step]) -> [UInt64] {
        steps.compactMap { step in
            switch step {
            case .start(let number, _): return number
            case .tell(let waiters, let outcome):
                for waiter in waiters { waiter.tell(outcome) }
                return nil
            case .wait, .cancel, .store, .removeFromDisk: return nil
            }
        }
    }

    func assign(
        _ item: OriginItem, in table: inout FetchTable, _ told: Told = Told(), now: Int64 = start
    ) throws -> Assignment {
        let finding = table.find(item, waiter: told.waiter(), now: now, instant: Self.instant)
        guard case .assigned(let assignment) = finding else { throw Unexpected(finding: "\(finding)") }
        return assignment
    }

    struct Unexpected: Error { let finding: String }

    func keep(_ item: OriginItem, _ answer: CachedAnswer, in table: inout FetchTable) throws {
        run(table.finish(try assign(item, in: &table), .keep(answer), now: Self.start))
    }

    func request(_ assignment: Assignment) throws -> PlannedFetch {
        PlannedFetch([assignment], FetchRequest(try OriginURL("https://example.org/"), byteLimit: 10))
    }

    // MARK: Finding

    @Test func whatIsNotHeld_isLookedForOnTheDisk_andThenFetched_onceForAllWhoWait() throws {
        var table = FetchTable(Self.rules(), hasDisk: true)
        let item = try Self.item(1)
        let (first, second) = (Told(1), Told(2))
        let assignment = try assign(item, in: &table, first)
        #expect(!assignment.question.isConditional)
        guard
            case .joined(assignment.number) = table.find(
                item, waiter: second.waiter(), now: Self.start, instant: Self.instant)
        else { throw Unexpected(finding: "not joined") }
        let (left, steps) = table.looked(assignment, found: nil, now: Self.start, instant: Self.instant)
        #expect(steps.isEmpty)
        let numbers = run(table.submit(try request(try #require(left)), now: Self.start, instant: Self.instant))
        run(
            table.ended(
                try #require(numbers.first), at: item.origin, [.keep(Self.answer("max-age=60"))], failure: nil,
                now: Self.start, instant: Self.instant))
        #expect(first.all == ["found"] && second.all == ["found"])
        #expect(Self.text(table.current(item, now: Self.start)) == "found")
        #expect(table.requestCount == 0)
    }

    @Test func whatTheDiskHas_isUsed_orAskedAbout() throws {
        var table = FetchTable(Self.rules(), hasDisk: true)
        for (number, age, isUsed) in [(1, 0, true), (2, 61, false)] {
            let item = try Self.item(number)
            let told = Told()
            let assignment = try assign(item, in: &table, told)
            let found = Self.answer("max-age=60", at: Self.start - Int64(age))
            let (left, steps) = table.looked(assignment, found: found, now: Self.start, instant: Self.instant)
            run(steps)
            #expect((left == nil) == isUsed)
            #expect(told.all == (isUsed ? ["found"] : []))
            #expect(left?.question.isConditional ?? true)
        }
    }

    @Test func requestForTheCacheAlone_waitsForTheDisk_butForNoServer() throws {
        var table = FetchTable(Self.rules(), hasDisk: true)
        let item = try Self.item(1)
        var fields = Fields()
        fields.append(.cacheControl, "only-if-cached")
        let client = RemoteDirectives(fields)
        let (patient, other) = (Told(1), Told(2))
        guard
            case .assigned(let assignment) = table.find(
                item, for: client, waiter: patient.waiter(onlyIfCached: true), now: Self.start, instant: Self.instant)
        else { throw Unexpected(finding: "not assigned") }
        _ = table.find(item, waiter: other.waiter(), now: Self.start, instant: Self.instant)
        let (left, steps) = table.looked(assignment, found: nil, for: client, now: Self.start, instant: Self.instant)
        run(steps)
        #expect(patient.all == ["notCached"])
        // The other one goes on waiting, and so the item is fetched.
        #expect(left != nil && other.all.isEmpty)
        run(table.submit(try request(assignment), now: Self.start, instant: Self.instant))
        guard
            case .known(.failed(.notCached)) = table.find(
                item, for: client, waiter: nil, now: Self.start, instant: Self.instant)
        else { throw Unexpected(finding: "waits") }
    }

    @Test func offlineServer_asksNobody() throws {
        var table = FetchTable(Self.rules { $0.isOffline = true }, hasDisk: true)
        let (here, away) = (try Self.item(1), try Self.item(2))
        for (item, found) in [(here, Self.answer("max-age=0", at: 0)), (away, nil)] {
            let told = Told()
            let assignment = try assign(item, in: &table, told)
            let (left, steps) = table.looked(assignment, found: found, now: Self.start, instant: Self.instant)
            run(steps)
            #expect(left == nil)
            #expect(told.all == [found == nil ? "offline" : "found"])
        }
    }

    // MARK: Failures

    @Test func absence_isKnownForAMinute_andForgottenOnTheDisk() throws {
        var table = FetchTable(Self.rules())
        let item = try Self.item(1)
        run(table.finish(try assign(item, in: &table), .absent, now: Self.start))
        #expect(Self.text(table.current(item, now: Self.start + 59)) == "absent")
        #expect(Self.text(table.current(item, now: Self.start + 60)) == "notCached")
        try keep(try Self.item(2), Self.answer("max-age=0"), in: &table)
        let later = try assign(try Self.item(2), in: &table, now: Self.start + 100)
        let steps = table.finish(later, .absent, now: Self.start + 100)
        guard case .removeFromDisk? = steps.first else { throw Unexpected(finding: "\(steps)") }
    }

    @Test func failure_isKnownForAsLongAsTheOriginAsks_butNoLongerThanAMinute() throws {
        var table = FetchTable(Self.rules())
        let item = try Self.item(1)
        var now = Self.start
        for (seconds, spared) in [(0, 1), (30, 30), (9_000, 60)] {
            let failure = FetchFailure.origin(.resting(seconds: seconds))
            run(table.finish(try assign(item, in: &table, now: now), .failed(failure), now: now))
            #expect(Self.text(table.current(item, now: now + Int64(spared) - 1)) == "\(failure)")
            now += Int64(spared)
        }
        _ = try assign(item, in: &table, now: now)
    }

    @Test func staleAnswer_standsInForAFailure_butNotForARefusal() throws {
        for (failure, expected) in [
            (OriginError.unreachable, "found"), (.status(503), "found"),
            (.addressForbidden, "\(FetchFailure.origin(.addressForbidden))"),
        ] {
            var table = FetchTable(Self.rules())
            let item = try Self.item(1)
            try keep(item, Self.answer("max-age=60"), in: &table)
            let told = Told()
            let assignment = try assign(item, in: &table, told, now: Self.start + 100)
            run(table.finish(assignment, .failed(.origin(failure)), now: Self.start + 100))
            #expect(told.all == [expected])
        }
    }

    @Test func answerThatIsForgottenWhileItIsAskedAbout_isAskedForWithoutConditions() throws {
        var table = FetchTable(Self.rules())
        let item = try Self.item(1)
        let told = Told()
        try keep(item, Self.answer("max-age=0"), in: &table)
        let assignment = try assign(item, in: &table, told, now: Self.start + 1)
        #expect(assignment.question.isConditional)
        let number = try #require(
            run(table.submit(try request(assignment), now: Self.start, instant: Self.instant)).first)
        table.forget(item.tag)
        let steps = table.ended(
            number, at: item.origin, [.freshened(Self.answer("max-age=60").exchange)], failure: nil,
            now: Self.start + 1, instant: Self.instant)
        let again = try #require(run(steps).first)
        #expect(table.request(again)?.assignments.first?.question.isConditional == false)
        #expect(told.all.isEmpty)
    }

    // MARK: Origins

    @Test func originIsAskedFewThingsAtATime_andLeftAloneAfterItFailed() throws {
        let rules = Self.rules {
            $0.requestsPerOrigin = 2
            $0.backOff = .seconds(5)
        }
        var table = FetchTable(rules)
        let told = Told()
        var started: [UInt64] = []
        for number in 0..<4 {
            let assignment = try assign(try Self.item(number), in: &table, told)
            started += run(table.submit(try request(assignment), now: Self.start, instant: Self.instant))
        }
        #expect(started.count == 2)
        run(
            table.ended(
                started[0], at: try Self.item(0).origin, [.failed(.origin(.unreachable))],
                failure: .origin(.unreachable), now: Self.start, instant: Self.instant))
        // One failed, and the two that waited for their turn are not sent.
        #expect(told.all.count == 3)
        let finding = table.find(try Self.item(9), waiter: nil, now: Self.start, instant: Self.instant)
        guard case .known(.failed(.backingOff)) = finding else { throw Unexpected(finding: "\(finding)") }
        let elsewhere = try Self.item(9, host: "example.com")
        guard case .assigned = table.find(elsewhere, waiter: nil, now: Self.start, instant: Self.instant) else {
            throw Unexpected(finding: "another origin is left alone")
        }
        let later = Self.instant + .seconds(5)
        guard case .assigned = table.find(try Self.item(9), waiter: nil, now: Self.start, instant: later) else {
            throw Unexpected(finding: "left alone for longer")
        }
    }

    @Test func requestThatNobodyWaitsFor_isCancelled_unlessItIsForTheBackground() throws {
        for goesOn in [false, true] {
            var table = FetchTable(Self.rules())
            let assignment = try assign(try Self.item(1), in: &table)
            run(table.submit(try request(assignment), now: Self.start, instant: Self.instant))
            let steps = table.leave(1, [assignment.number], goesOn: goesOn)
            #expect(steps.isEmpty == goesOn)
            #expect(table.requestCount == (goesOn ? 1 : 0))
        }
    }

    // MARK: Bounds

    /// A file without a name of so many bytes.
    static func file(_ byteCount: Int) throws -> CachedAnswer {
        answer(
            "max-age=60", .file(SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: byteCount)))
    }

    func isHeld(_ number: Int, _ table: FetchTable) throws -> Bool {
        Self.text(table.current(try Self.item(number), now: Self.start)) == "found"
    }

    @Test func bytesInFiles_areBounded_butThoseOnDiskDoNotCount() throws {
        var table = FetchTable(Self.rules { $0.byteCapacity = 100_000 })
        for number in 0..<4 { try keep(try Self.item(number), try Self.file(40_000), in: &table) }
        #expect(table.heldByteCount <= 100_000)
        #expect(try isHeld(3, table) && !isHeld(0, table))
        guard case .found(let answer) = table.current(try Self.item(3), now: Self.start) else { return }
        // Only the file that was written counts as written.
        table.stored(try Self.item(3).key, number: answer.number + 1)
        #expect(table.heldByteCount > 70_000)
        table.stored(try Self.item(3).key, number: answer.number)
        #expect(table.heldByteCount < 50_000)
        #expect(try isHeld(3, table))
    }

    @Test func filesAreBounded_andOneThatIsLargerThanTheBoundIsHeldAlone() throws {
        var table = FetchTable(Self.rules { ($0.byteCapacity, $0.fileLimit) = (100_000, 8) })
        for number in 0..<20 { try keep(try Self.item(number), try Self.file(1), in: &table) }
        #expect(try (0..<20).count { try isHeld($0, table) } == 8)
        #expect(try isHeld(19, table))
        try keep(try Self.item(20), try Self.file(1_000_000), in: &table)
        #expect(try (0...20).filter { try isHeld($0, table) } == [20])
    }

    /// An origin may send 60 KB of fields with an empty file.
    @Test func fields_weighWhatTheyTake() throws {
        for isOnDisk in [true, false] {
            var table = FetchTable(Self.rules { $0.byteCapacity = 100_000 })
            for number in 0..<10 {
                var answer = try isOnDisk ? Self.answer("max-age=60", .disk) : Self.file(0)
                answer.exchange.fields.append("X-Long", String(repeating: "x", count: 30_000))
                try keep(try Self.item(number), answer, in: &table)
            }
            #expect(try (0..<10).count { try isHeld($0, table) } == 3)
        }
    }

    @Test func purge_forgetsAGroup_orEverything() throws {
        var table = FetchTable(Self.rules())
        for number in 0..<3 { try keep(try Self.item(number), Self.answer("max-age=60"), in: &table) }
        table.forget(try Self.item(1).tag)
        #expect(try (0..<3).map { try isHeld($0, table) } == [true, false, true])
        table.forget(nil)
        #expect(try (0..<3).map { try isHeld($0, table) } == [false, false, false])
    }

    // MARK: Records

    @Test func record_isReadAsWritten() throws {
        var answer = Self.answer("max-age=60")
        answer.exchange.fields.append(.lastModified, "Sun, 06 Nov 1994 08:49:37 GMT")
        for digest in ["abc", nil] {
            let record = StoredRecord(CachedAnswer(answer.exchange, .disk, digest: digest))
            let read = try #require(StoredRecord(record.bytes, selecting: Fields()))
            #expect(read.exchange == answer.exchange && read.digest == digest)
            for count in 0..<record.bytes.count { _ = StoredRecord(Array(record.bytes[..<count]), selecting: Fields()) }
        }
        #expect(StoredRecord([], selecting: Fields()) == nil)
        #expect(StoredRecord(Array("Veduta-Times: 1 2\r\nVeduta-Digest: a\r\n".utf8), selecting: Fields()) == nil)
    }
}
