import HTTPMessage
import Origin
import Reactor
import ResponseCache
import Testing

@testable import VedutaService

/// What is known of remote originals, without an origin: time is passed in.
@Suite(.timeLimit(.minutes(5))) struct RemoteTableTests {
    private static let start: Int64 = 1_800_000_000

    private static func source(_ number: Int) throws -> RemoteSource {
        let url = try OriginURL("https://example.org/\(number)")
        return RemoteSource(id: url.description, url: url)
    }

    /// A file without a name of so many bytes.
    private static func spool(_ byteCount: Int) throws -> SharedFile {
        SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: byteCount)
    }

    private static func exchange(_ cacheControl: String, at time: Int64 = start) -> StoredExchange {
        var fields = Fields()
        fields.append(.cacheControl, cacheControl)
        fields.append(.entityTag, "\"1\"")
        return StoredExchange(
            selecting: [RemoteRules.fields], status: .ok, fields: fields, requestTime: time, responseTime: time,
            contentByteCount: 1)
    }

    private static func take(_ source: RemoteSource, into table: inout RemoteTable, bytes: Int = 1) throws -> UInt64 {
        table.took(
            source, exchange("max-age=60"), isTransient: false, state: OriginalState(validator: "v", lastModified: nil),
            spool: try spool(bytes))
    }

    @Test func whatIsNotHeld_isSoughtOnDiskOnce_andThenAskedFor() throws {
        var rules = RemoteRules()
        rules.seeksOnDisk = true
        var table = RemoteTable(rules)
        let source = try Self.source(1)
        guard case .seek = table.step(source, .none, now: Self.start) else {
            Issue.record("not sought")
            return
        }
        table.sought(source, nil, nil)
        guard case .ask(let question) = table.step(source, .none, now: Self.start) else {
            Issue.record("not asked for")
            return
        }
        #expect(!question.isConditional)
        table.sought(source, Self.exchange("max-age=60"), OriginalState(validator: "v", lastModified: nil))
        #expect(try table.state(of: source, now: Self.start)?.validator == "v")
    }

    @Test func absence_isKnownForAMinute() throws {
        var table = RemoteTable(RemoteRules())
        let source = try Self.source(1)
        table.failed(source, .assetNotFound, now: Self.start)
        #expect(try table.state(of: source, now: Self.start + 59) == nil)
        #expect(throws: Problem.notStored) { try table.state(of: source, now: Self.start + 60) }
    }

    @Test func failure_isKnownForAsLongAsTheOriginAsks_butNoLongerThanAMinute() throws {
        var table = RemoteTable(RemoteRules())
        let source = try Self.source(1)
        for (seconds, spared) in [(0, 1), (30, 30), (9_000, 60)] {
            let problem = Problem(OriginError.resting(seconds: seconds))
            table.failed(source, problem, now: Self.start)
            #expect(throws: problem) { try table.state(of: source, now: Self.start + Int64(spared) - 1) }
            guard case .ask = table.step(source, .none, now: Self.start + Int64(spared)) else {
                Issue.record("spared for longer than \(spared) s")
                return
            }
        }
    }

    @Test func refusal_isNotStoodInFor() throws {
        var table = RemoteTable(RemoteRules())
        let source = try Self.source(1)
        _ = try Self.take(source, into: &table)
        table.failed(source, Problem(OriginError.addressForbidden), now: Self.start + 100)
        #expect(throws: Problem.self) { try table.state(of: source, now: Self.start + 100) }
    }

    @Test func originalsBeyondTheBound_areForgotten_thoseUsedLongestAgoFirst() throws {
        var rules = RemoteRules()
        rules.entryLimit = 16
        var table = RemoteTable(rules)
        for number in 0..<16 { _ = try Self.take(try Self.source(number), into: &table) }
        _ = table.step(try Self.source(0), .none, now: Self.start)
        _ = try Self.take(try Self.source(16), into: &table)
        #expect(table.held(try Self.source(0)) != nil)
        #expect(table.held(try Self.source(16)) != nil)
        #expect(table.held(try Self.source(1)) == nil)
        #expect(try (0...16).count { table.held(try Self.source($0)) != nil } == 14)
    }

    @Test func bytesInFiles_areBounded() throws {
        var rules = RemoteRules()
        rules.spooledByteLimit = 1000
        var table = RemoteTable(rules)
        let numbers = try (0..<3).map { try Self.take(try Self.source($0), into: &table, bytes: 400) }
        #expect(table.held(try Self.source(0)) == nil)
        // Those that are on disk do not count.
        table.kept(try Self.source(1), number: numbers[1])
        _ = try Self.take(try Self.source(3), into: &table, bytes: 400)
        #expect(table.held(try Self.source(1))?.spool == nil)
        #expect(table.held(try Self.source(1)) != nil)
        #expect(table.held(try Self.source(2)) != nil)
    }

    @Test func filesOfOriginals_areBounded() throws {
        var rules = RemoteRules()
        rules.spooledFileLimit = 8
        var table = RemoteTable(rules)
        for number in 0..<9 { _ = try Self.take(try Self.source(number), into: &table) }
        #expect(try (0..<9).count { table.held(try Self.source($0)) != nil } == 7)
        #expect(table.held(try Self.source(8)) != nil)
    }

    @Test func bytesOnDisk_areThoseOfThatFetchAlone() throws {
        var table = RemoteTable(RemoteRules())
        let source = try Self.source(1)
        let first = try Self.take(source, into: &table)
        _ = try Self.take(source, into: &table)
        table.kept(source, number: first)
        #expect(table.held(source)?.spool != nil)
    }

    @Test func record_isReadAsWritten() throws {
        var exchange = Self.exchange("max-age=60")
        exchange.fields.append(.lastModified, "Sun, 06 Nov 1994 08:49:37 GMT")
        let state = OriginalState(validator: "abc", lastModified: 784_111_777)
        let bytes = RemoteRecord(exchange, state).bytes
        let read = try #require(RemoteRecord(bytes, lastModified: state.lastModified))
        #expect(read.exchange == exchange && read.state == state)
        for count in 0..<bytes.count { _ = RemoteRecord(Array(bytes[..<count]), lastModified: nil) }
        #expect(RemoteRecord([], lastModified: nil) == nil)
        #expect(RemoteRecord(Array("Veduta-Times: 1 2\r\nVeduta-Digest: a\r\n".utf8), lastModified: nil) == nil)
    }
}

/// Ids that only look the same.
@Suite(.timeLimit(.minutes(5))) struct RemoteSourceTests {
    @Test func idsAreBytes() throws {
        let url = try OriginURL("https://s3.example.org/")
        let (composed, decomposed) = ("s3://abc/\u{E9}.jpg", "s3://abc/e\u{301}.jpg")
        #expect(composed == decomposed)
        let sources = try [composed, decomposed].map { RemoteSource(id: $0, url: url, object: try S3Location($0)) }
        #expect(sources[0] != sources[1])
        #expect(Set(sources).count == 2)
        #expect(try S3Location(composed) != S3Location(decomposed))
    }
}
