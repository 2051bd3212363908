import Bytes
import HTTPMessage
import Reactor

extension Connection {
    /// Queues the head of a streamed answer; its pieces are pulled once that is sent.
    func begin(_ stream: ContentStream, _ response: Response, _ requestID: RequestID, closes: Bool) {
        let framing = ResponseFraming(.stream(stream), version: current.head?.version)
        // Without chunks the content ends with the connection (RFC 9112 §6.3).
        state.streamBegan(closes: closes || framing == .untilClose)
        current.stream = StreamedAnswer(stream: stream, isChunked: framing == .chunked)
        let isLast = state.isLast
        output.queue.append { bytes in
            server.write(
                response, to: requestID, version: current.head?.version, framing: framing, isLast: isLast, into: &bytes)
        }
    }

    func pullPiece() {
        let (id, number, mailbox) = (id, current.number, server.mailbox)
        current.stream?.stream.pull(PieceSink { mailbox.post(.piece(connectionID: id, requestNumber: number, $0)) })
    }

    /// Drops a piece unless it was asked for and its answer is under way.
    func take(_ piece: StreamPiece, of requestNumber: UInt64) {
        guard requestNumber == current.number, state.pieceCame() else { return }
        let isChunked = current.stream?.isChunked == true
        switch piece {
        case .bytes(let bytes) where bytes.count == 0: break
        case .bytes(let bytes):
            if isChunked { output.queue.append { ResponseWriter.beginChunk(bytes.count, into: &$0) } }
            output.queue.append(.bytes(bytes))
            if isChunked { output.queue.append { ResponseWriter.endChunk(into: &$0) } }
            output.records.extendLast(to: output.queue.appendedByteCount)
        case .end:
            current.stream = nil
            if isChunked { output.queue.append { ResponseWriter.endChunks(into: &$0) } }
            output.records.extendLast(to: output.queue.appendedByteCount)
            state.answered(closes: false, now: server.loop.now)
            current.end()
        case .failure:
            // The maker of the stream knows of the failure.
            current.stream = nil
            return close()
        }
        pump()
    }
}
