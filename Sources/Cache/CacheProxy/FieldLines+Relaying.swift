import HTTPMessage
import HTTPServer
import Origin

extension FieldLines {
    /// Lines byte by byte as another server sent them. Its head was parsed, so none holds a line end.
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
    /// A gateway's status without an answer: an invalid one came (502), or none in time (504; RFC 9111 §5.2.2.2).
    var proxyStatus: Status {
        switch self {
        case .notHTTP, .headTooLarge, .tooLarge, .contentCoded: .badGateway
        default: .gatewayTimeout
        }
    }
}

extension RequestFailure {
    /// 504 in place of 503 where the answer was late: a gateway waits for another server (RFC 9110 §15.6.5).
    var proxyStatus: Status { self == .answerTimedOut ? .gatewayTimeout : status }
}
