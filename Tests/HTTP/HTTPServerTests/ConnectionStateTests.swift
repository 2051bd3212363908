import Reactor
import Testing

@testable import HTTPServer

func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: 1_000_000_000) + .seconds(seconds) }

func expect(
    _ expiry: ConnectionState.Expiry, of state: inout ConnectionState, at seconds: Double,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let found = state.expire(now: at(seconds))
    #expect(found == expiry, sourceLocation: sourceLocation)
}

/// The state machine with time moved by hand.
@Suite(.timeLimit(.minutes(5))) struct ConnectionStateTests {
    private static func makeState() -> ConnectionState {
        ConnectionState(
            timeouts: .init(idle: .seconds(60), head: .seconds(10), write: .seconds(30), answer: .seconds(40)),
            now: at(0))
    }

    /// A connection whose first request is with the handler.
    private func answering(keepsAlive: Bool = true) -> ConnectionState {
        var state = Self.makeState()
        state.headBegan(now: at(1))
        state.headEnded(hasContent: false, keepsAlive: keepsAlive, now: at(2))
        return state
    }

    /// A connection whose first request was answered.
    private func answered() -> ConnectionState {
        var state = answering()
        state.answered(closes: false, now: at(3))
        return state
    }

    /// The same, where a client takes 100 bytes a second at the least.
    private func answeredSlowly() -> ConnectionState {
        var state = ConnectionState(
            timeouts: .init(idle: .seconds(60), head: .seconds(10), write: .seconds(30), minimumRate: 100), now: at(0))
        state.headEnded(hasContent: false, keepsAlive: true, now: at(2))
        state.answered(closes: false, now: at(3))
        return state
    }

    @Test func firstHead_hasTheHeadTimeout_notTheIdleOne() {
        var state = Self.makeState()
        #expect(state.deadline == at(10))
        expect(.notYet, of: &state, at: 9.9)
        expect(.close, of: &state, at: 10)
    }

    @Test func slowHead_isTimedFromItsFirstByte_whateverFollows() {
        var state = Self.makeState()
        state.headBegan(now: at(4))
        state.headBegan(now: at(12))
        #expect(state.deadline == at(14))
        expect(.requestTimedOut, of: &state, at: 14)
        #expect(state.deadline == .distantFuture)
    }

    @Test func slowContent_isTimedOut() {
        var state = Self.makeState()
        state.headBegan(now: at(1))
        state.headEnded(hasContent: true, keepsAlive: true, now: at(2))
        #expect(state.phase == .discardingContent)
        #expect(state.reads)
        expect(.requestTimedOut, of: &state, at: 12)
    }

    @Test func handler_hasItsDeadline_andNothingIsReadMeanwhile() {
        var state = answering()
        #expect(state.phase == .answering)
        #expect(!state.reads)
        #expect(state.deadline == at(42))
        expect(.notYet, of: &state, at: 41.9)
        expect(.answerTimedOut(closes: false), of: &state, at: 42)
        expect(.notYet, of: &state, at: 100)
    }

    @Test func keptConnection_isIdleAfterTheAnswer() {
        var state = answered()
        #expect(state.phase == .idle)
        #expect(state.deadline == at(63))
        expect(.close, of: &state, at: 63)
    }

    @Test(arguments: [(false, false, false), (true, true, false), (true, false, true)])
    func lastAnswer_closes(keepsAlive: Bool, closes: Bool, drains: Bool) {
        var state = answering(keepsAlive: keepsAlive)
        if drains { state.drain() }
        state.answered(closes: closes, now: at(3))
        #expect(state.isLast)
        #expect(state.phase == .closing)
        #expect(!state.parsesHeads)
    }

    /// #15.16a
    @Test func drain_leavesWhoHasNotAskedAMoment_andNoHeadMore() {
        var state = Self.makeState()
        let action = state.drain(isNew: true, hasInput: false, hasOutput: false, now: at(3))
        #expect(action == .goOn && state.parsesHeads && state.isLast)
        #expect(state.deadline == at(3.5))
        state.headBegan(now: at(3.2))
        #expect(state.deadline == at(3.5))
        expect(.requestTimedOut, of: &state, at: 3.5)
        var late = Self.makeState()
        _ = late.drain(isNew: true, hasInput: false, hasOutput: false, now: at(20))
        #expect(late.deadline == at(10))
        expect(.close, of: &late, at: 10)
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func drain_closesAnIdleConnection_andLosesNothing(hasInput: Bool, hasOutput: Bool) {
        var state = answered()
        let action = state.drain(isNew: false, hasInput: hasInput, hasOutput: hasOutput, now: at(4))
        #expect(action == (hasInput || hasOutput ? .finish : .close))
        #expect(state.phase == (hasInput || hasOutput ? .closing : .idle))
    }

    /// #21.10: whoever keeps a connection may be about to ask on it.
    @Test func handover_leavesAnIdleConnectionTwoSeconds_alsoOneThatTakesItsAnswer() {
        var state = answered()
        var slow = state
        let action = state.drain(isNew: false, isHandover: true, hasInput: false, hasOutput: false, now: at(4))
        #expect(action == .goOn && state.parsesHeads && state.isLast)
        #expect(state.deadline == at(6))
        expect(.close, of: &state, at: 6)
        slow.wrote(isDrained: false, byteCount: 10, now: at(3))
        let later = slow.drain(isNew: false, isHandover: true, hasInput: false, hasOutput: true, now: at(4))
        #expect(later == .goOn && slow.parsesHeads)
        slow.wrote(isDrained: true, byteCount: 10, now: at(5))
        #expect(slow.deadline == at(7))
    }

    /// The first byte of a head may be in the socket when the moment is over.
    @Test func headThatBeginsAsTheDrainDisconnects_isTimed() {
        var state = answered()
        _ = state.drain(isNew: false, isHandover: true, hasInput: false, hasOutput: false, now: at(4))
        expect(.close, of: &state, at: 6)
        state.headBegan(now: at(6))
        #expect(state.deadline == at(6.5))
        expect(.requestTimedOut, of: &state, at: 6.5)
    }

    /// #21.10: the head of a streamed answer that began before a handover did not say that it is the last one.
    @Test(arguments: [(false, false), (true, false), (false, true)])
    func handover_leavesTheClientOfAStreamTwoSeconds_unlessItKnows(wasTold: Bool, isHalfClosed: Bool) {
        var state = answering()
        state.streamBegan(closes: wasTold)
        let action = state.drain(isNew: false, isHandover: true, hasInput: false, hasOutput: true, now: at(4))
        #expect(action == .goOn && state.isLast)
        if isHalfClosed { _ = state.peerShutDown(hasOutput: true) }
        state.answered(closes: false, now: at(20))
        let isIdle = !wasTold && !isHalfClosed
        #expect(state.phase == (isIdle ? .idle : .closing))
        guard isIdle else { return }
        #expect(state.deadline == at(22))
        state.headBegan(now: at(21))
        state.headEnded(hasContent: false, keepsAlive: true, now: at(21))
        state.answered(closes: false, now: at(21))
        #expect(state.phase == .closing, "it was told by this answer")
    }

    @Test func closing_lingersForTwoSeconds_andReadsOn() {
        var state = answering(keepsAlive: false)
        state.answered(closes: false, now: at(3))
        let action = state.sentAll(now: at(4))
        #expect(action == .shutDown && state.phase == .lingering)
        #expect(state.reads)
        expect(.notYet, of: &state, at: 5.9)
        expect(.close, of: &state, at: 6)
    }

    @Test func clientThatTakesNothing_isClosed_progressPutsItOff() {
        var state = answered()
        state.wrote(isDrained: false, byteCount: 1, now: at(3))
        #expect(state.deadline == at(33))
        state.wrote(isDrained: false, byteCount: 0, now: at(20))
        #expect(state.deadline == at(33))
        state.wrote(isDrained: false, byteCount: 1, now: at(30))
        #expect(state.deadline == at(60))
        expect(.readerStalled, of: &state, at: 60)
    }

    /// The socket takes bytes in large steps; what the client has acknowledged in between counts.
    @Test func clientThatIsSeenToTakeBytes_isNotCut_unlessBelowTheRate() {
        var state = answeredSlowly()
        state.wrote(isDrained: false, byteCount: 100_000, now: at(3))
        expect(.readerStalled, of: &state, at: 33)
        var stateOfAShortServer = state
        let isTooSlowForIt = !stateOfAShortServer.readerMoved(byteCount: 6000, now: at(33.5), minimumRate: 65_536)
        #expect(isTooSlowForIt)
        let isQuickEnough = state.readerMoved(byteCount: 6000, now: at(33))
        #expect(isQuickEnough)
        #expect(state.deadline == at(63))
        expect(.readerStalled, of: &state, at: 63)
        // 6,100 bytes in 60 seconds, of which the first 30 are free: 61 seconds more at 100 a second.
        let isStillQuickEnough = state.readerMoved(byteCount: 6100, now: at(63))
        #expect(isStillQuickEnough)
        #expect(state.deadline == at(93))
        let isTooSlow = !state.readerMoved(byteCount: 6100, now: at(95))
        #expect(isTooSlow)
    }

    /// A connection whose turn is over has a client that takes all it is offered: the wait is the server's.
    @Test func timeUntilTheNextTurn_isNotTheClients() {
        var state = answeredSlowly()
        state.wrote(isDrained: false, byteCount: 3000, now: at(3))
        state.turnEnded(now: at(3))
        state.wrote(isDrained: false, byteCount: 10, now: at(103))
        #expect(state.deadline == at(133))
        // What it leaves lying about from then on is its own.
        state.wrote(isDrained: false, byteCount: 10, now: at(132))
        #expect(state.deadline == at(162))
        state.wrote(isDrained: false, byteCount: 10, now: at(162))
        #expect(state.deadline == at(163))
        state.wrote(isDrained: true, byteCount: 10, now: at(163))
        #expect(state.deadline == at(223))
    }

    @Test func slowDownload_isNotIdle() {
        var state = answered()
        for second in stride(from: 3.0, to: 200, by: 20) {
            expect(.notYet, of: &state, at: second)
            state.wrote(isDrained: false, byteCount: 1, now: at(second))
        }
        state.wrote(isDrained: true, byteCount: 1, now: at(200))
        #expect(state.deadline == at(260))
    }

    @Test func headBehindASlowDownload_isTimedFromItsEnd() {
        var state = answered()
        state.headBegan(now: at(3))
        state.wrote(isDrained: false, byteCount: 1, now: at(3))
        #expect(state.deadline == at(33))
        state.wrote(isDrained: true, byteCount: 1, now: at(30))
        expect(.notYet, of: &state, at: 39)
        expect(.requestTimedOut, of: &state, at: 40)
    }

    @Test func sendingAllAtOnce_leavesTheDeadlineAlone() {
        var state = answered()
        state.wrote(isDrained: true, byteCount: 1, now: at(5))
        #expect(state.deadline == at(63))
    }

    @Test func peerEnd_whileAnswering_isProbedOnce() {
        var state = answering()
        state.peerMayBeGone(now: at(3))
        expect(.notYet, of: &state, at: 3.2)
        expect(.probePeer, of: &state, at: 3.25)
        state.peerMayBeGone(now: at(4))
        #expect(state.deadline == at(42))
    }

    @Test func peerEnd_thatCameWithTheRequest_isProbedToo() {
        var state = Self.makeState()
        state.peerMayBeGone(now: at(1))
        state.headEnded(hasContent: false, keepsAlive: true, now: at(1))
        expect(.probePeer, of: &state, at: 1.25)
    }

    @Test func peerEnd_betweenRequests_isTheEnd_unlessAnAnswerIsOwed() {
        for hasOutput in [false, true] {
            var state = Self.makeState()
            let isOver = state.peerShutDown(hasOutput: hasOutput)
            #expect(isOver == !hasOutput)
            #expect(state.phase == (hasOutput ? .closing : .idle))
        }
    }

    @Test func peerEnd_doesNotEndAnAnswer() {
        var state = answering()
        let isOverWhileAnswering = state.peerShutDown(hasOutput: false)
        state.answered(closes: false, now: at(3))
        #expect(state.phase == .closing)
        let isOverWhileClosing = state.peerShutDown(hasOutput: true)
        _ = state.sentAll(now: at(4))
        let isOverWhileLingering = state.peerShutDown(hasOutput: false)
        #expect(!isOverWhileAnswering && !isOverWhileClosing && isOverWhileLingering)
    }

    @Test func closedConnection_hasNothingToWaitFor() {
        var state = answering()
        state.wrote(isDrained: false, byteCount: 1, now: at(3))
        state.closed()
        #expect(state.deadline == .distantFuture)
        #expect(!state.reads)
        expect(.notYet, of: &state, at: 1000)
    }
}
