import HTTPMessage
import Reactor
import Synchronization
import Testing

@testable import HTTPServer

/// Content that a handler keeps itself, as the intake sees it.
@Suite(.timeLimit(.minutes(5))) struct ContentKeeperTests {
    private final class Keeper: ContentKeeper {
        let bytes = Mutex<[UInt8]>([])

        func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
            let fits = self.bytes.withLock { kept in
                guard offset == kept.count else { return false }
                kept += bytes
                return true
            }
            if !fits { throw .invalidArgument }
        }
    }

    private struct Outcome: Equatable {
        var kept: [UInt8] = []
        var completeByteCount: Int?
        var failure: RequestFailure?
        var pieces: [Int] = []
    }

    /// Feeds `pieces`; what is left at the end is given to the keeper as a broken connection would.
    private func run(
        _ framing: Framing, _ pieces: [ArraySlice<UInt8>], limit: Int = 100, buffer: Int = 8
    ) throws -> Outcome {
        var settings = ServerSettings()
        settings.contentBufferByteCount = buffer
        let keeper = Keeper()
        let intake = ContentIntake(ContentRule(byteLimit: limit), keeper: keeper, framing, settings: settings)
        var outcome = Outcome()
        feeding: for piece in pieces {
            var rest = piece
            while !rest.isEmpty, outcome.completeByteCount == nil {
                do throws(RequestFailure) {
                    rest = rest.dropFirst(try intake.consume(rest.span.bytes))
                } catch {
                    outcome.failure = error
                    break feeding
                }
                try settle(intake, &outcome)
            }
        }
        if let rest = intake.takeRest() { try keeper.write(rest.bytes, at: rest.offset) }
        outcome.kept = keeper.bytes.withLock { $0 }
        return outcome
    }

    private func settle(_ intake: ContentIntake, _ outcome: inout Outcome) throws {
        while true {
            switch intake.turn {
            case .needsMore: return
            case .complete(let content):
                guard case .kept(_, let byteCount) = content else { throw Errno.invalidArgument }
                outcome.completeByteCount = byteCount
                return
            case .needsStoring:
                let part = intake.takePart()
                outcome.pieces.append(part.bytes.count)
                try part.keeper?.write(part.bytes, at: part.offset)
                intake.stored(in: nil)
            }
        }
    }

    private static let text = Array("the quick brown fox jumps over it".utf8)
    private static let chunked = Array("b\r\nthe quick b\r\n16\r\nrown fox jumps over it\r\n0\r\n\r\n".utf8)

    @Test(arguments: [1, 3, 8, 32, 33, 34, 100])
    func keeperGetsEverything_howeverItIsSplit(buffer: Int) throws {
        for (framing, bytes) in [(Framing.length(33), Self.text), (.chunked, Self.chunked)] {
            for split in 0...bytes.count {
                let outcome = try run(framing, [bytes[..<split], bytes[split...]], buffer: buffer)
                #expect(outcome.kept == Self.text && outcome.completeByteCount == 33, "\(framing), split at \(split)")
            }
        }
    }

    @Test func contentThatEndsEarly_isKeptAsFarAsItCame() throws {
        for count in 0..<33 {
            let outcome = try run(.length(33), [Self.text[..<count]])
            #expect(outcome.kept == Array(Self.text[..<count]) && outcome.completeByteCount == nil)
        }
        for count in 0..<Self.chunked.count {
            let outcome = try run(.chunked, [Self.chunked[..<count]])
            #expect(Self.text.starts(with: outcome.kept) && outcome.completeByteCount == nil)
        }
    }

    @Test func piecesAreWholeBuffers() throws {
        #expect(
            try run(.length(33), Self.text.indices.map { Self.text[$0...$0] }, buffer: 10).pieces == [10, 10, 10, 3])
    }

    @Test func contentOfNoChunks_isKeptToo() throws {
        let outcome = try run(.chunked, [Array("0\r\n\r\n".utf8)[...]])
        #expect(outcome == Outcome(completeByteCount: 0))
    }

    @Test func tooMuch_isRefused_andWhatIsWithinTheLimitKept() throws {
        let outcome = try run(.chunked, Self.chunked.indices.map { Self.chunked[$0...$0] }, limit: 20)
        #expect(outcome.failure == .contentTooLarge(limit: 20))
        #expect(outcome.kept == Array(Self.text[..<20]))
    }

    @Test func brokenFraming_keepsWhatCameBefore() throws {
        let outcome = try run(.chunked, [Array("5\r\nhelloX".utf8)[...]])
        #expect(outcome.failure == .refused(.invalidChunk(offset: 8)))
        #expect(outcome.kept == Array("hello".utf8))
    }

    @Test func withoutKeeper_thereIsNoRest() throws {
        var settings = ServerSettings()
        settings.spoolFolder = "/tmp"
        let intake = ContentIntake(ContentRule(byteLimit: 10), .length(10), settings: settings)
        let bytes = Array("hello".utf8)
        _ = try intake.consume(bytes.span.bytes)
        #expect(intake.takeRest() == nil)
    }
}
