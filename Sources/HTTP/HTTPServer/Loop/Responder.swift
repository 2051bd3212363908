package import HTTPMessage
import Reactor

/// The way back to the client for an answer that comes later; may be used on any thread.
package struct Responder: Sendable {
    let connectionID: UInt64
    let requestNumber: UInt64
    let mailbox: Mailbox<LoopMessage>

    /// Sends an interim answer (1xx, RFC 9110 §15.2) ahead of the answer itself. Clients of HTTP/1.0, which know none, and
    /// those whose answer is under way get nothing.
    package func interim(_ status: Status, _ fields: FieldLines) {
        guard (100...199).contains(status.code), status.code != 101 else { return }
        var bytes: [UInt8] = []
        ResponseWriter.begin(status, dateLine: [], into: &bytes)
        bytes.append(contentsOf: fields.bytes)
        ResponseWriter.end(.implied, into: &bytes)
        mailbox.post(.interim(connectionID: connectionID, requestNumber: requestNumber, bytes))
    }

    /// Sends `response`. An answer for a client that has gone, or a second one, is dropped.
    package func respond(_ response: Response) {
        mailbox.post(.answer(connectionID: connectionID, requestNumber: requestNumber, response))
    }
}
