import HTTPMessage
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct ContentDiscardTests {
    private enum Outcome: Equatable {
        /// Complete; so many bytes of the input belonged to the content.
        case complete(Int)
        case overLimit
        case failed(RequestError)
        case unfinished
    }

    private func run(_ framing: Framing, _ pieces: [ArraySlice<UInt8>], limit: Int = 1000) -> Outcome {
        var discard = ContentDiscard(framing, limit: limit)
        var consumed = 0
        for piece in pieces {
            let bytes = Array(piece)
            var offset = 0
            while offset < bytes.count {
                if discard.isComplete { return .complete(consumed) }
                if discard.isOverLimit { return .overLimit }
                do throws(RequestError) {
                    let count = try discard.consume(bytes.span.bytes.extracting(offset..<bytes.count))
                    offset += count
                    consumed += count
                } catch {
                    return .failed(error)
                }
            }
        }
        if discard.isComplete { return .complete(consumed) }
        return discard.isOverLimit ? .overLimit : .unfinished
    }

    private static let chunked = Array("5;x=\"y\"\r\nhello\r\n0a\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n".utf8)

    @Test func chunkedContent_endsAtTheSameByte_howeverItIsSplit() {
        let input = Self.chunked + Array("GET / ".utf8)
        for split in 0...input.count {
            #expect(
                run(.chunked, [input[..<split], input[split...]]) == .complete(Self.chunked.count), "split \(split)")
        }
        #expect(run(.chunked, input.indices.map { input[$0...$0] }) == .complete(Self.chunked.count))
    }

    @Test func knownLength_endsAtTheSameByte_howeverItIsSplit() {
        let input = Array("hello, world".utf8)
        for split in 0...input.count {
            #expect(run(.length(5), [input[..<split], input[split...]]) == .complete(5), "split \(split)")
        }
    }

    @Test func brokenChunk_isTheSameError_howeverItIsSplit() {
        let input = Array("5\r\nhelloX\r\n0\r\n\r\n".utf8)
        for split in 0...input.count {
            #expect(
                run(.chunked, [input[..<split], input[split...]]) == .failed(.invalidChunk(offset: 8)), "split \(split)"
            )
        }
    }

    @Test func noContent_isCompleteAtOnce() {
        #expect(ContentDiscard(.none, limit: 10).isComplete)
        #expect(ContentDiscard().isComplete)
    }

    @Test func announcedLengthOverTheLimit_isKnownBeforeAnyByte() {
        #expect(ContentDiscard(.length(11), limit: 10).isOverLimit)
        #expect(!ContentDiscard(.length(10), limit: 10).isOverLimit)
    }

    @Test func chunksOverTheLimit_areOver_framingIncluded() {
        #expect(run(.chunked, [Self.chunked[...]], limit: 20) == .overLimit)
        let drip = [UInt8](repeating: 0x30, count: 40)
        #expect(run(.chunked, drip.indices.map { drip[$0...$0] }, limit: 20) == .overLimit)
    }

    @Test func truncatedContent_isUnfinished() {
        for count in 0..<Self.chunked.count {
            #expect(run(.chunked, [Self.chunked[..<count]]) == .unfinished, "after \(count)")
        }
    }
}
