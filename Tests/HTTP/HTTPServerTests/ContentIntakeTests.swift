import Bytes
import HTTPMessage
import Reactor
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct ContentIntakeTests {
    /// What came of feeding an intake; files are written as the server would.
    private struct Outcome: Equatable {
        var content: [UInt8] = []
        var isFile = false
        var isComplete = false
        /// How many bytes of the input belonged to the content.
        var consumed = 0
        var storedPieces: [Int] = []
        var failure: RequestFailure?
    }

    private func run(
        _ framing: Framing, _ pieces: [ArraySlice<UInt8>], limit: Int = 1000, buffer: Int = 8, spools: Bool = true
    ) throws -> Outcome {
        var settings = ServerSettings()
        settings.contentBufferByteCount = buffer
        settings.spoolFolder = spools ? "/tmp" : nil
        let intake = ContentIntake(ContentRule(byteLimit: limit), framing, settings: settings)
        var outcome = Outcome()
        for piece in pieces {
            let bytes = Array(piece)
            var offset = 0
            while offset < bytes.count, !outcome.isComplete {
                do throws(RequestFailure) {
                    let count = try intake.consume(bytes.span.bytes.extracting(offset..<bytes.count))
                    offset += count
                    outcome.consumed += count
                } catch {
                    outcome.failure = error
                    return outcome
                }
                try settle(intake, &outcome)
            }
        }
        return outcome
    }

    private func settle(_ intake: ContentIntake, _ outcome: inout Outcome) throws {
        while true {
            switch intake.turn {
            case .needsMore: return
            case .complete(let content):
                outcome.isComplete = true
                outcome.content = try Self.byteArray(content)
                if case .file = content { outcome.isFile = true }
                return
            case .needsStoring:
                let part = intake.takePart()
                outcome.storedPieces.append(part.bytes.count)
                let file = try part.file ?? SharedFile(adopting: FileDescriptor.openSpool(in: "/tmp"), byteCount: 0)
                try file.write(part.bytes, at: part.offset)
                intake.stored(in: file)
            }
        }
    }

    private static func byteArray(_ content: RequestContent) throws -> [UInt8] {
        switch content {
        case .none: return []
        case .bytes(let bytes): return bytes.withUnsafeBytes { Array($0) }
        case .kept: return []
        case .file(let file):
            var bytes = [UInt8](repeating: 0, count: file.byteCount + 1)
            let result = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(Errno) in try file.read(into: buffer, from: 0) }
            }
            return Array(bytes.prefix(try result.get()))
        }
    }

    private static let text = Array("the quick brown fox jumps over it".utf8)

    /// `text` in chunks of all sizes, with extensions and trailers.
    private static let chunked: [UInt8] = {
        var bytes: [UInt8] = []
        var start = 0
        for size in [1, 9, 3, 7, 8, 5] {
            bytes += Array((String(size, radix: 16) + ";name=\"a b\"\r\n").utf8) + text[start..<(start + size)]
            bytes += [0x0d, 0x0a]
            start += size
        }
        return bytes + Array("0;last\r\nTrailer: t\r\nOther: o\r\n\r\n".utf8)
    }()

    private static let next = Array("GET / HTTP/1.1\r\n".utf8)

    @Test(arguments: [1, 2, 7, 8, 16, 33, 34, 100])
    func content_isTheSame_howeverItIsSplit(buffer: Int) throws {
        for (framing, bytes) in [(Framing.length(Self.text.count), Self.text), (.chunked, Self.chunked)] {
            let input = bytes + Self.next
            for split in 0...input.count {
                let outcome = try run(framing, [input[..<split], input[split...]], buffer: buffer)
                let place: Comment = "\(framing), split at \(split)"
                #expect(outcome.isComplete && outcome.content == Self.text, place)
                #expect(outcome.consumed == bytes.count, place)
                // What comes all at once needs no file, whatever the bound is.
                #expect(outcome.isFile == !outcome.storedPieces.isEmpty, place)
                if buffer > Self.text.count { #expect(!outcome.isFile, place) }
            }
            let single = try run(framing, input.indices.map { input[$0...$0] }, buffer: buffer)
            #expect(single.content == Self.text && single.consumed == bytes.count)
        }
    }

    @Test func singleBytes_areStoredBufferByBuffer() throws {
        let outcome = try run(.length(33), Self.text.indices.map { Self.text[$0...$0] }, buffer: 10)
        #expect(outcome.storedPieces == [10, 10, 10, 3])
    }

    @Test(arguments: [true, false])
    func limit_isHeldAtTheByte(isChunked: Bool) throws {
        let bytes = isChunked ? Self.chunked : Self.text
        let framing = isChunked ? Framing.chunked : .length(Self.text.count)
        for split in 0...bytes.count {
            let pieces = [bytes[..<split], bytes[split...]]
            #expect(try run(framing, pieces, limit: 33).isComplete)
            #expect(try run(framing, pieces, limit: 32).failure == .contentTooLarge(limit: 32))
        }
    }

    @Test func withoutFolder_theBufferIsTheLimit() throws {
        for split in 0...Self.chunked.count {
            let pieces = [Self.chunked[..<split], Self.chunked[split...]]
            let within = try run(.chunked, pieces, buffer: 33, spools: false)
            #expect(within.isComplete && within.content == Self.text && !within.isFile)
            #expect(try run(.chunked, pieces, buffer: 32, spools: false).failure == .contentTooLarge(limit: 32))
        }
    }

    @Test func brokenChunk_isAnError_howeverItIsSplit() throws {
        let input = Array("5\r\nhelloX\r\n0\r\n\r\n".utf8)
        for split in 0...input.count {
            let outcome = try run(.chunked, [input[..<split], input[split...]], buffer: 3)
            #expect(outcome.failure == .refused(.invalidChunk(offset: 8)), "split \(split)")
        }
    }

    @Test func contentOfNoChunks_isNone() throws {
        let outcome = try run(.chunked, [Array("0\r\n\r\n".utf8)[...]])
        #expect(outcome.isComplete && outcome.content.isEmpty && !outcome.isFile)
    }

    @Test func truncatedContent_isNeverComplete() throws {
        for count in 0..<Self.chunked.count {
            #expect(try !run(.chunked, [Self.chunked[..<count]]).isComplete, "after \(count)")
        }
        for count in 0..<Self.text.count {
            #expect(try !run(.length(Self.text.count), [Self.text[..<count]]).isComplete, "after \(count)")
        }
    }
}
