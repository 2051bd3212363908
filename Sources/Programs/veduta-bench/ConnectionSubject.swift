import Bytes
import HTTPMessage
import HTTPServer
import Reactor

/// The server without the service: a handler that has its answer at hand.
enum ConnectionSubject {
    private static let request = Array("GET / HTTP/1.1\r\nHost: bench\r\n\r\n".utf8)

    static func run() throws {
        guard let address = SocketAddress("127.0.0.1:0") else { throw BenchError.refusedInput }
        let server = try HTTPServer.start(
            listener: try Listener.bind(address, backlog: 16), loopCount: 1, settings: ServerSettings(),
            statistics: ServerStatistics(), makeHandler: { _ in FixedHandler() })
        defer { server.stop() }
        guard let port = server.address.port else { throw BenchError.refusedInput }
        let client = try Client(port: port)
        try Meter.measure("connection/hit") { try client.exchange(request) }
        let pipelined = Array(repeatElement(request, count: 16).joined())
        try Meter.measure("connection/pipelined-16", operationCount: 100, requestCount: 16) {
            try client.exchange(pipelined, count: 16)
        }
    }
}

/// Sends the same 20 KB to everybody.
private final class FixedHandler: RequestHandler {
    private let response: Response

    init() {
        var fields = FieldLines()
        fields.append(.contentType, "image/jpeg")
        response = Response(status: .ok, fields: fields, content: SharedBytes([UInt8](repeating: 0x2e, count: 20_480)))
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer { .now(response) }
    func answer(to failure: RequestFailure) -> Response { response }
}
