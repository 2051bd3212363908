package import HTTPMessage
import Reactor

package struct Responder: Sendable {
    let connectionID: UInt64
    let requestNumber: UInt64
    let mailbox: Mailbox<LoopMessage>

    /// 1xx (RFC 9110 §15.2). Dropped for HTTP/1.0, which has none, and once the answer is under way.
    package func interim(_ status: Status, _ fields: FieldLines) {
        guard (100...199).contains(status.code), status.code != 101 else { return }
        var bytes: [UInt8] = []
        ResponseWriter.begin(status, dateLine: [], into: &bytes)
        bytes.append(contentsOf: fields.bytes)
        ResponseWriter.end(.implied, into: &bytes)
        mailbox.post(.interim(connectionID: connectionID, requestNumber: requestNumber, bytes))
    }

    /// An answer to a client that has gone, or a second answer, is dropped.
    package func respond(_ response: Response) {
        mailbox.post(.answer(connectionID: connectionID, requestNumber: requestNumber, response))
    }
}
