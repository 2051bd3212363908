import HTTPMessage
import Reactor
import Testing

@testable import HTTPServer

extension ExchangeRecords {
    fileprivate mutating func finished(sent: Int, growing: Bool, now: MonotonicInstant) -> [Exchange] {
        var told: [Exchange] = []
        finish(sent: sent, growing: growing, now: now) { told.append($0) }
        return told
    }

    fileprivate mutating func brokenOff(sent: Int, now: MonotonicInstant) -> [Exchange] {
        var told: [Exchange] = []
        breakOff(sent: sent, now: now) { told.append($0) }
        return told
    }
}

@Suite(.timeLimit(.minutes(5))) struct ExchangeRecordsTests {
    private static let now = MonotonicInstant(nanoseconds: 7)

    private static func exchange(_ code: Int) -> Exchange {
        let zero = MonotonicInstant(nanoseconds: 0)
        var names = RequestIDGenerator(loopIndex: 0, seed: 1)
        return Exchange(
            requestID: names.next(), peer: nil, head: nil, status: Status(code: code), arrived: zero, answered: zero,
            finished: zero, sentByteCount: 0, isComplete: false)
    }

    /// Three answers of 10 bytes, with 5 bytes of an interim answer before the second.
    private static func records() -> ExchangeRecords {
        var records = ExchangeRecords()
        for (index, start) in [0, 15, 25].enumerated() {
            records.append(exchange(200 + index), from: start, to: start + 10)
        }
        return records
    }

    private func describe(_ exchanges: [Exchange]) -> [[Int]] {
        exchanges.map { [$0.status.code, $0.sentByteCount, $0.isComplete ? 1 : 0] }
    }

    @Test(arguments: 0...40)
    func everyAnswer_isReportedOnce_whereverSendingStops(_ sent: Int) {
        var records = Self.records()
        let finished = records.finished(sent: sent, growing: false, now: Self.now)
        let left = records.brokenOff(sent: sent, now: Self.now)
        let whole = [10, 25, 35].filter { $0 <= sent }.count
        #expect(describe(finished) == (0..<whole).map { [200 + $0, 10, 1] })
        let starts = [0, 15, 25]
        #expect(describe(left) == (whole..<3).map { [200 + $0, min(max(sent - starts[$0], 0), 10), 0] })
        #expect((finished + left).allSatisfy { $0.finished == Self.now })
        #expect(records.isEmpty)
    }

    @Test func growingAnswer_isNotDone_howeverMuchIsSent() {
        var records = Self.records()
        #expect(records.finished(sent: 35, growing: true, now: Self.now).count == 2)
        #expect(records.finished(sent: 35, growing: true, now: Self.now).isEmpty)
        records.extendLast(to: 50)
        #expect(records.finished(sent: 49, growing: false, now: Self.now).isEmpty)
        let last = records.finished(sent: 50, growing: false, now: Self.now)
        #expect(describe(last) == [[202, 25, 1]])
    }

    @Test func growingAnswer_thatIsBrokenOff_isNotWhole() {
        var records = ExchangeRecords()
        records.append(Self.exchange(200), from: 0, to: 10)
        records.extendLast(to: 30)
        #expect(describe(records.brokenOff(sent: 30, now: Self.now)) == [[200, 30, 0]])
    }

    @Test func nothingRecorded_isNothingReported() {
        var records = ExchangeRecords()
        records.extendLast(to: 9)
        #expect(records.isEmpty)
        #expect(records.finished(sent: 9, growing: false, now: Self.now).isEmpty)
        #expect(records.brokenOff(sent: 9, now: Self.now).isEmpty)
    }
}
