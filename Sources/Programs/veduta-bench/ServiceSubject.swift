import Logging
import Reactor
import Sandbox
import ServiceConfiguration
import VedutaService

/// The whole service: pictures and maps that are in the cache.
enum ServiceSubject {
    private static let target = "/asset?id=lagoon.jpg&width=400&quality=88&format=jpeg"

    static func run(library: String) throws {
        var configuration = Configuration()
        configuration.listen = "127.0.0.1:0"
        configuration.library = library
        configuration.loops = 1
        configuration.workers = 1
        configuration.isolation = .off
        try Service.prepareProcess(program: "veduta-bench")
        try serve(configuration, measure)
        configuration.accessLog = .json
        configuration.accessLogFile = "/dev/null"
        try serve(configuration) { client throws(BenchError) in
            try repeatedly("service/hit-logged", request(target), client)
        }
    }

    private static func serve(
        _ configuration: Configuration, _ measure: (borrowing Client) throws(BenchError) -> Void
    ) throws {
        let service = try Service.start(
            configuration, log: Logger(label: "veduta-bench") { _ in SwiftLogNoOpLogHandler() })
        defer { _ = service.stop() }
        guard let port = service.address.port else { throw BenchError.refusedInput }
        let client = try Client(port: port)
        try measure(client)
    }

    private static func measure(_ client: borrowing Client) throws(BenchError) {
        let picture = request(target)
        try client.exchange(picture)
        guard let tag = client.field("ETag: ") else { throw .connectionLost }
        try repeatedly("service/hit", picture, client)
        let pipelined = Array(repeatElement(picture, count: 16).joined())
        try Meter.measure("service/pipelined-16", operationCount: 100, requestCount: 16) { () throws(BenchError) in
            try client.exchange(pipelined, count: 16)
        }
        try repeatedly("service/not-modified", request(target, more: "If-None-Match: \(tag)\r\n"), client, status: 304)
        let automatic = "/asset?id=lagoon.jpg&width=400&quality=88&format=auto"
        try repeatedly("service/hit-of-a-browser", request(automatic, more: browserFields), client)
        let map = request("/map?latitude=43.77&longitude=11.25&zoom=5&width=256&height=256")
        try repeatedly("service/map-hit", map, client)
    }

    private static func repeatedly(
        _ subject: String, _ request: [UInt8], _ client: borrowing Client, status: Int = 200
    ) throws(BenchError) {
        try Meter.measure(subject) { () throws(BenchError) in try client.exchange(request, status: status) }
    }

    private static func request(_ target: String, more: String = "") -> [UInt8] {
        Array("GET \(target) HTTP/1.1\r\nHost: bench\r\n\(more)\r\n".utf8)
    }

    private static let browserFields = """
        User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r
        Accept: image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5\r
        Accept-Language: en-GB,en;q=0.5\r
        Accept-Encoding: gzip, deflate, br, zstd\r
        Referer: https://pictures.example/album\r
        Sec-Fetch-Dest: image\r
        Sec-Fetch-Mode: no-cors\r
        Sec-Fetch-Site: same-origin\r
        Priority: u=5, i\r
        Sec-GPC: 1\r

        """
}
