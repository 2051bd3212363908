import HTTPMessage
import HTTPServer
import Origin

extension FieldLines {
    /// Lines as another server sent them, byte by byte. Its head was read, so none of them holds a line end.
    init(relaying fields: Fields) {
        var bytes: [UInt8] = []
        for index in 0..<fields.count {
            fields.nameBytes(at: index).withUnsafeBytes { bytes += $0 }
            bytes += ": ".utf8
            fields.valueBytes(at: index).withUnsafeBytes { bytes += $0 }
            bytes += "\r\n".utf8
        }
        self.init(formatted: bytes)
    }
}

extension OriginError {
    /// What a gateway says when it has no answer: an invalid one came (502), or none in time (504; RFC 9111 §5.2.2.2).
    var proxyStatus: Status {
        switch self {
        case .notHTTP, .headTooLarge, .tooLarge, .contentCoded: .badGateway
        default: .gatewayTimeout
        }
    }
}

extension RequestFailure {
    /// What the server's own refusals are answered with.
    var status: Status {
        switch self {
        case .refused(let error): error.status
        case .unknownMethod: .notImplemented
        case .timedOut: .requestTimeout
        case .unknownExpectation: .expectationFailed
        case .answerTimedOut: .gatewayTimeout
        case .tooManyConnections: .serviceUnavailable
        case .tooManyConnectionsFromAddress: .tooManyRequests
        case .lengthRequired: .lengthRequired
        case .contentTooLarge: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .contentNotStored: .insufficientStorage
        case .contentMemoryFull: .serviceUnavailable
        }
    }
}
