package import HTTPMessage

/// Why the server itself turns a request away.
package enum RequestFailure: Error, Equatable, Sendable {
    case refused(RequestError)
    /// The method is none that the server knows (501).
    case unknownMethod
    /// The head or the content did not come in time (408).
    case timedOut
    /// An expectation other than `100-continue` (417).
    case unknownExpectation
    /// The handler did not answer in time (503).
    case answerTimedOut
    /// As many connections are open as may be, and none is idle (503).
    case tooManyConnections
    /// As many connections are open from the client's address as may be (429).
    case tooManyConnectionsFromAddress
    /// Content must be sent with this request, and none was announced (411).
    case lengthRequired
    /// The content has more bytes than `limit` (413).
    case contentTooLarge(limit: Int)
    /// The content is of a type or coding that its resource does not take (415).
    case unsupportedMediaType
    /// There is no room to keep the content (507).
    case contentNotStored
    /// Content of other requests takes all the memory that there is for it (503).
    case contentMemoryFull
}
