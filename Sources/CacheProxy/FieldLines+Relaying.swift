import HTTPMessage
import HTTPServer
import Origin

extension FieldLines {
    /// Lines as another server sent them, octet by octet. Its head was read, so none of them holds a line end.
    init(relaying fields: Fields) {
        var octets: [UInt8] = []
        for index in 0..<fields.count {
            fields.nameOctets(at: index).withUnsafeBytes { octets += $0 }
            octets += ": ".utf8
            fields.valueOctets(at: index).withUnsafeBytes { octets += $0 }
            octets += "\r\n".utf8
        }
        self.init(formatted: octets)
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
