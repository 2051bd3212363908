import HTTPMessage
import Origin
import Reactor
import Testing

@testable import OriginCache

/// Turns of clients at one origin, and what is about the way of one client alone.
extension FetchTableTests {
    private static func client(_ number: UInt32) -> ClientNetwork { ClientNetwork(ipv4: number) }

    private func request(_ assignment: Assignment, of client: ClientNetwork?) throws -> PlannedFetch {
        var fetch = try request(assignment)
        fetch.client = client
        return fetch
    }

    @Test func clients_takeTurnsAtAnOrigin() throws {
        var table = FetchTable(Self.rules { $0.requestsPerOrigin = 2 })
        let told = Told()
        var started: [UInt64] = []
        for number in 0..<20 {
            let assignment = try assign(try Self.item(number), in: &table, told)
            let fetch = try request(assignment, of: Self.client(1))
            started += run(table.submit(fetch, now: Self.start, instant: Self.instant))
        }
        let late = try assign(try Self.item(100), in: &table, told)
        started += run(
            table.submit(try request(late, of: Self.client(2)), now: Self.start, instant: Self.instant))
        #expect(started.count == 2)
        let next = run(
            table.ended(
                started[0], at: late.item.origin, [.keep(Self.answer("max-age=60"))], failure: nil, now: Self.start,
                instant: Self.instant))
        let number = try #require(next.first)
        #expect(table.request(number)?.assignments.first?.item == late.item)
    }

    @Test func whoJoinsAQueuedRequest_hasItComeInTheOwnTurn() throws {
        var table = FetchTable(Self.rules { $0.requestsPerOrigin = 2 })
        let told = Told()
        var started: [UInt64] = []
        for number in 0..<10 {
            let assignment = try assign(try Self.item(number), in: &table, told)
            let fetch = try request(assignment, of: Self.client(1))
            started += run(table.submit(fetch, now: Self.start, instant: Self.instant))
        }
        let last = try Self.item(9)
        let other = Told(2).waiter(client: Self.client(2))
        guard case .joined = table.find(last, waiter: other, now: Self.start, instant: Self.instant) else {
            throw Unexpected(finding: "not joined")
        }
        let steps = table.ended(
            started[0], at: last.origin, [.absent], failure: nil, now: Self.start, instant: Self.instant)
        let next = try #require(run(steps).first)
        #expect(table.request(next)?.assignments.first?.item == last)
    }

    @Test func aFullQueue_takesAPlaceFromTheClientThatHasMost() throws {
        var table = FetchTable(Self.rules { $0.requestsPerOrigin = 1 })
        let (many, one) = (Told(1), Told(2))
        for number in 0...FetchTable.queueLimit {
            let assignment = try assign(try Self.item(number), in: &table, many)
            let fetch = try request(assignment, of: Self.client(1))
            run(table.submit(fetch, now: Self.start, instant: Self.instant))
        }
        #expect(many.all.isEmpty)
        let assignment = try assign(try Self.item(9_999), in: &table, one)
        run(table.submit(try request(assignment, of: Self.client(2)), now: Self.start, instant: Self.instant))
        #expect(one.all.isEmpty && many.all == ["busy"])
        let further = try assign(try Self.item(8_888), in: &table, Told(3))
        run(table.submit(try request(further, of: Self.client(1)), now: Self.start, instant: Self.instant))
        #expect(Self.text(table.current(further.item, now: Self.start)) == "busy")
    }

    @Test func requestThatGetsNoTurnInTime_isToldThatTheOriginIsBusy() throws {
        let rules = Self.rules {
            $0.requestsPerOrigin = 1
            $0.longestTurn = .seconds(15)
        }
        var table = FetchTable(rules)
        let (first, second) = (Told(1), Told(2))
        let sent = try assign(try Self.item(1), in: &table, first)
        let number = run(table.submit(try request(sent), now: Self.start, instant: Self.instant))
        let queued = try assign(try Self.item(2), in: &table, second)
        let steps = table.submit(try request(queued), now: Self.start, instant: Self.instant)
        guard case .wait(let waiting, let duration)? = steps.last else { throw Unexpected(finding: "\(steps)") }
        #expect(duration == .seconds(15))
        run(table.expire(waiting, now: Self.start))
        #expect(second.all == ["busy"])
        // One that is under way is left alone.
        run(table.expire(try #require(number.first), now: Self.start))
        #expect(first.all.isEmpty && table.requestCount == 1)
    }

    // MARK: The way of a client

    @Test func refusalOfAClientsWay_isForThatClientAlone() throws {
        var table = FetchTable(Self.rules())
        let item = try Self.item(1)
        let (forged, honest) = (Told(1), Told(2))
        let names = ["veduta-a", "veduta-b"]
        let finding = table.find(item, waiter: forged.waiter(via: names), now: Self.start, instant: Self.instant)
        guard case .assigned(let assignment) = finding else { throw Unexpected(finding: "\(finding)") }
        var fetch = try request(assignment)
        fetch.via = names
        let number = try #require(run(table.submit(fetch, now: Self.start, instant: Self.instant)).first)
        _ = table.find(item, waiter: honest.waiter(), now: Self.start, instant: Self.instant)
        let refusal = FetchResult.failed(.origin(.status(508)))
        let again = try #require(
            run(
                table.ended(
                    number, at: item.origin, [refusal], failure: .origin(.status(508)), now: Self.start,
                    instant: Self.instant)
            ).first)
        #expect(forged.all == ["loop"] && honest.all.isEmpty)
        #expect(table.request(again)?.via == [])
        // Whoever was refused finds why, and nobody else is kept from asking.
        #expect(Self.text(table.current(item, now: Self.start)) == "loop")
        run(
            table.ended(
                again, at: item.origin, [.keep(Self.answer("max-age=60"))], failure: nil, now: Self.start,
                instant: Self.instant))
        #expect(honest.all == ["found"])
    }

    @Test func refusalOfAClientsWay_isNotRemembered() throws {
        var table = FetchTable(Self.rules())
        let item = try Self.item(1)
        let finding = table.find(
            item, waiter: Told().waiter(via: ["veduta-a"]), now: Self.start, instant: Self.instant)
        guard case .assigned(let assignment) = finding else { throw Unexpected(finding: "\(finding)") }
        var fetch = try request(assignment)
        fetch.via = ["veduta-a"]
        let number = try #require(run(table.submit(fetch, now: Self.start, instant: Self.instant)).first)
        run(
            table.ended(
                number, at: item.origin, [.failed(.origin(.status(508)))], failure: .origin(.status(508)),
                now: Self.start, instant: Self.instant))
        _ = try assign(item, in: &table)
        // Without names of the client's it is a fault of the address.
        let other = try Self.item(2)
        var plain = try request(try assign(other, in: &table))
        plain.via = []
        let second = try #require(run(table.submit(plain, now: Self.start, instant: Self.instant)).first)
        run(
            table.ended(
                second, at: other.origin, [.failed(.origin(.status(508)))], failure: .origin(.status(508)),
                now: Self.start, instant: Self.instant))
        guard case .known(.failed) = table.find(other, waiter: nil, now: Self.start, instant: Self.instant) else {
            throw Unexpected(finding: "forgotten")
        }
    }

    @Test func namesOfThisProgramAlone_goWithAFetch() {
        let long = String(repeating: "a", count: 9_000)
        var fields = Fields()
        fields.append(.via, "1.1 \(long), 1.1 cdn (comment), HTTP/1.1 veduta-1a, 1.1 veduta-\(long), 1.1 veduta-A<b")
        let hops = Via.hops(fields)
        #expect(Via.ownNames(hops) == ["veduta-1a"])
        #expect(Via.chain(after: Via.ownNames(hops)) == "1.1 veduta-1a, 1.1 \(Via.pseudonym)")
        #expect(Via.ownNames(["1.1 \(Via.pseudonym)"]) == [Via.pseudonym])
    }
}
