package import HTTPMessage

package enum RequestFailure: Error, Equatable, Sendable {
    case refused(RequestError)
    case unknownMethod
    /// The head or the content was too slow.
    case timedOut
    /// Not `100-continue`.
    case unknownExpectation
    /// The handler did not answer in time.
    case answerTimedOut
    /// The limit of open connections is reached, and none is idle.
    case tooManyConnections
    /// The limit for one client's address is reached.
    case tooManyConnectionsFromAddress
    /// Required content was not announced.
    case lengthRequired
    case contentTooLarge(limit: Int)
    case unsupportedMediaType
    /// No room to keep the content.
    case contentNotStored
    /// Content of other requests takes all the memory for it, or that of the same client its share.
    case contentMemoryFull

    package var status: Status {
        switch self {
        case .refused(let error): error.status
        case .unknownMethod: .notImplemented
        case .timedOut: .requestTimeout
        case .unknownExpectation: .expectationFailed
        case .answerTimedOut, .tooManyConnections, .contentMemoryFull: .serviceUnavailable
        case .tooManyConnectionsFromAddress: .tooManyRequests
        case .lengthRequired: .lengthRequired
        case .contentTooLarge: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .contentNotStored: .insufficientStorage
        }
    }
}
