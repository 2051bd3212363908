package import HTTPMessage

package enum RequestFailure: Error, Equatable, Sendable {
    case refused(RequestError)
    case unknownMethod
    /// The head or the content was too slow (408).
    case timedOut
    /// Not `100-continue` (417).
    case unknownExpectation
    /// The handler did not answer in time (503).
    case answerTimedOut
    /// The limit of open connections is reached, and none is idle (503).
    case tooManyConnections
    /// The limit for one client's address is reached (429).
    case tooManyConnectionsFromAddress
    /// Required content was not announced (411).
    case lengthRequired
    case contentTooLarge(limit: Int)
    case unsupportedMediaType
    /// No room to keep the content (507).
    case contentNotStored
    /// Content of other requests takes all the memory for it, or that of the same client its share (503).
    case contentMemoryFull
}
