import Reactor
import Testing

@testable import HTTPServer

/// The phases of taking content in and of giving it out in pieces, with time moved by hand.
@Suite(.timeLimit(.minutes(5))) struct ConnectionContentStateTests {
    private func makeState(minimumRate: Int = 100) -> ConnectionState {
        ConnectionState(
            timeouts: .init(
                idle: .seconds(60), head: .seconds(10), write: .seconds(30), answer: .seconds(40),
                content: .seconds(20), minimumRate: minimumRate),
            now: at(0))
    }

    /// A connection whose content began to come at second 1.
    private func receiving(keepsAlive: Bool = true) -> ConnectionState {
        var state = makeState()
        state.headBegan(now: at(0))
        state.contentBegan(keepsAlive: keepsAlive, now: at(1))
        return state
    }

    private func streaming(closes: Bool = false) -> ConnectionState {
        var state = makeState()
        state.headBegan(now: at(0))
        state.headEnded(hasContent: false, keepsAlive: true, now: at(1))
        state.streamBegan(closes: closes)
        return state
    }

    // MARK: Content comes in

    @Test func content_isRead_andHasItsOwnPatience() {
        var state = receiving()
        #expect(state.phase == .receivingContent && state.reads && state.consumes && !state.parsesHeads)
        #expect(state.deadline == at(21))
        expect(.notYet, of: &state, at: 20.9)
        expect(.requestTimedOut, of: &state, at: 21)
    }

    @Test func content_thatComesTooSlowly_isCut_whileFastContentIsNot() {
        for (byteCount, deadline) in [(10, 21.0), (1000, 31.0), (100_000, 40.0)] {
            var state = receiving()
            state.contentCame(byteCount, now: at(20))
            #expect(state.deadline == at(deadline), "\(byteCount)")
        }
    }

    @Test func storing_stopsTheClientsClock_andStartsOurs() {
        var state = receiving()
        state.contentPaused(now: at(5))
        #expect(state.phase == .storingContent && !state.reads && !state.consumes)
        #expect(state.deadline == at(45))
        let wasAwaited = state.contentStored(now: at(40))
        #expect(wasAwaited)
        #expect(state.phase == .receivingContent && state.reads)
        #expect(state.deadline == at(60))
        expect(.requestTimedOut, of: &state, at: 60)
    }

    @Test func storingThatTakesTooLong_isAnsweredFor() {
        var state = receiving()
        state.contentPaused(now: at(5))
        expect(.answerTimedOut(closes: true), of: &state, at: 45)
        state.answered(closes: true, now: at(45))
        #expect(state.phase == .closing)
        let isAwaited = state.contentStored(now: at(46))
        #expect(!isAwaited && state.phase == .closing)
    }

    @Test func completeContent_isTheHandlersTurn() {
        var state = receiving()
        state.contentEnded(now: at(7))
        #expect(state.phase == .answering)
        #expect(state.deadline == at(47))
    }

    @Test func contentBehindAnAnswerThatIsTakenSlowly_isTimedFromItsEnd() {
        var state = receiving()
        state.wrote(isDrained: false, byteCount: 1, now: at(1))
        #expect(state.deadline == at(31))
        state.wrote(isDrained: false, byteCount: 100_000, now: at(25))
        expect(.notYet, of: &state, at: 40)
        state.wrote(isDrained: true, byteCount: 1, now: at(50))
        #expect(state.deadline == at(70))
        state.contentCame(1, now: at(60))
        #expect(state.deadline == at(70))
        expect(.requestTimedOut, of: &state, at: 70)
    }

    @Test(arguments: [true, false])
    func requestThatWillNotBeKept_isTheLast(drains: Bool) {
        var state = receiving(keepsAlive: drains)
        if drains { state.drain() }
        state.contentEnded(now: at(2))
        state.answered(closes: false, now: at(3))
        #expect(state.phase == .closing)
    }

    @Test func peerEnd_inContent_isTheEnd_butNotWhileItIsStored() {
        var state = receiving()
        let isOverWhileReceiving = state.peerShutDown(hasOutput: false)
        state.contentPaused(now: at(3))
        let isOverWhileStoring = state.peerShutDown(hasOutput: false)
        #expect(isOverWhileReceiving && !isOverWhileStoring)
    }

    @Test func peerEnd_thatWasSignalledInContent_isProbedWhenTheHandlerWorks() {
        var state = receiving()
        state.peerMayBeGone(now: at(2))
        #expect(state.deadline == at(21))
        state.contentEnded(now: at(3))
        expect(.probePeer, of: &state, at: 3.25)
    }

    // MARK: Content goes out in pieces

    @Test func stream_hasNoDeadline_untilAPieceIsAskedFor() {
        var state = streaming()
        #expect(state.phase == .streaming && !state.reads && !state.consumes && !state.parsesHeads)
        #expect(state.deadline == .distantFuture)
        let actions = [state.sentAll(now: at(3)), state.sentAll(now: at(4))]
        #expect(actions == [.pullPiece, .nothing])
        #expect(state.deadline == at(43))
        let wasAwaited = state.pieceCame()
        let isAwaited = state.pieceCame()
        #expect(wasAwaited && !isAwaited)
        #expect(state.deadline == .distantFuture)
    }

    @Test func pieceThatDoesNotCome_breaksTheConnectionOff() {
        var state = streaming()
        _ = state.sentAll(now: at(3))
        expect(.notYet, of: &state, at: 42.9)
        expect(.close, of: &state, at: 43)
    }

    @Test func clientThatTakesNoPiece_isClosed() {
        var state = streaming()
        state.wrote(isDrained: false, byteCount: 10, now: at(3))
        #expect(state.deadline == at(33))
        expect(.readerStalled, of: &state, at: 33)
    }

    @Test func endedStream_isAnAnswerLikeAnyOther() {
        var state = streaming()
        state.answered(closes: false, now: at(9))
        #expect(state.phase == .idle && state.idleSince == at(9))
        #expect(state.deadline == at(69))
        var last = streaming(closes: true)
        last.answered(closes: false, now: at(9))
        #expect(last.phase == .closing)
    }

    @Test func drain_duringAStream_closesAfterIt() {
        var state = streaming()
        state.drain()
        #expect(state.phase == .streaming)
        state.answered(closes: false, now: at(9))
        #expect(state.phase == .closing)
    }
}
