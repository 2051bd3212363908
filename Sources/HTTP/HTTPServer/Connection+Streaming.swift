import Bytes
import HTTPMessage
import Reactor

/// An answer whose content comes in pieces.
struct StreamedAnswer {
    let stream: ContentStream
    /// Whether pieces are framed as chunks; otherwise the end of the connection is the end of the content.
    let isChunked: Bool
    /// Whether a piece was asked for and has not come.
    var isAwaited = false
}

extension Connection {
    /// Queues the head of a streamed answer; its pieces are asked for when that is sent.
    func begin(_ stream: ContentStream, _ response: Response, _ requestID: RequestID, closes: Bool) {
        let framing = ResponseFraming(.stream(stream), version: head?.version)
        // Without chunks the content ends with the connection (RFC 9112 §6.3).
        state.streamBegan(closes: closes || framing == .untilClose)
        self.stream = StreamedAnswer(stream: stream, isChunked: framing == .chunked)
        let isLast = state.isLast
        output.append { bytes in
            server.write(
                response, to: requestID, version: head?.version, framing: framing, isLast: isLast, into: &bytes)
        }
    }

    /// Asks for the next piece, once.
    func pullPiece() {
        guard var stream, !stream.isAwaited else { return }
        stream.isAwaited = true
        self.stream = stream
        state.pieceAwaited(now: server.loop.now)
        stream.stream.pull(PieceSink(connectionID: id, requestNumber: requestNumber, mailbox: server.mailbox))
    }

    /// A piece came; dropped unless its answer is under way and it was asked for.
    func take(_ piece: StreamPiece, of requestNumber: UInt64) {
        guard state.phase == .streaming, requestNumber == self.requestNumber, stream?.isAwaited == true else { return }
        stream?.isAwaited = false
        state.pieceCame()
        let isChunked = stream?.isChunked == true
        switch piece {
        case .bytes(let bytes) where bytes.count == 0: break
        case .bytes(let bytes):
            if isChunked { output.append { ResponseWriter.beginChunk(bytes.count, into: &$0) } }
            output.append(.bytes(bytes))
            if isChunked { output.append { ResponseWriter.endChunk(into: &$0) } }
            records.extendLast(to: output.appendedByteCount)
        case .end:
            stream = nil
            if isChunked { output.append { ResponseWriter.endChunks(into: &$0) } }
            records.extendLast(to: output.appendedByteCount)
            state.answered(closes: false, now: server.loop.now)
            endRequest()
        case .failure:
            // Its maker knows.
            stream = nil
            return close()
        }
        pump()
    }
}
