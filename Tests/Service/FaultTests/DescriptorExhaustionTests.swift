import Glibc
import HTTPServer
import Reactor
import TestSupport
import Testing

/// The process's real limit, in a process of its own.
@Suite(.timeLimit(.minutes(5))) struct DescriptorExhaustionTests {
    @Test func withoutDescriptors_idleConnectionsMakeRoom_andEveryNewClientIsAnswered() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(loops: 2)
            let busy = try WireClient(server.address)
            busy.request("/later/answer")
            if !server.waitForRequests(1) { complain("the first client is not served") }
            // Made while there is room, so that from here on only the server needs descriptors.
            let clients = (0..<60).map { _ in RawClient() }
            Self.limitDescriptors(to: openDescriptorCount() + 20)
            for (number, client) in clients.enumerated() {
                let answer = client.ask(server.address)
                if !answer.hasPrefix("HTTP/1.1 200") && !answer.hasPrefix("HTTP/1.1 503") {
                    complain("client \(number) got \"\(answer)\"")
                }
            }
            let servedCount = clients.count { $0.wasServed }
            // All but the last few had a place of their own or that of an idle one.
            if servedCount < 40 { complain("\(servedCount) clients were served") }
            server.release("answer")
            if try busy.read().text != "answer" { complain("a busy client is hurt") }
            exit(0)
        }
    }

    @Test func withoutDescriptors_andNobodyIdle_newClientsAreToldSo_orServedLater() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(loops: 2)
            let busyClients = (0..<30).map { _ in RawClient() }
            let late = RawClient()
            Self.limitDescriptors(to: openDescriptorCount() + 20)
            for client in busyClients { client.send("/later/answer", to: server.address) }
            let answer = late.ask(server.address)
            if !answer.hasPrefix("HTTP/1.1 503") && !answer.hasPrefix("HTTP/1.1 200") {
                complain("the last client got \"\(answer)\"")
            }
            server.release("answer")
            let codes = busyClients.map { $0.answer().prefix(12) }
            if !codes.allSatisfy({ $0 == "HTTP/1.1 200" || $0 == "HTTP/1.1 503" }) { complain("\(codes)") }
            if codes.count(where: { $0 == "HTTP/1.1 200" }) < 15 { complain("\(codes)") }
            exit(0)
        }
    }

    private static func limitDescriptors(to count: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = rlim_t(count)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// A client whose descriptor exists before it connects.
private final class RawClient {
    private let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private(set) var wasServed = false

    init() {
        var patience = timeval(tv_sec: 180, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(number) }

    /// The beginning of the answer to a request that keeps the connection; empty when none comes.
    func ask(_ address: SocketAddress) -> String {
        send("/now/x", to: address)
        return answer()
    }

    func send(_ target: String, to address: SocketAddress) {
        var system = sockaddr_in()
        system.sin_family = sa_family_t(AF_INET)
        system.sin_port = (address.port ?? 0).bigEndian
        system.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafePointer(to: &system) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, length) }
        }
        let request = Array("GET \(target) HTTP/1.1\r\nHost: veduta.test\r\n\r\n".utf8)
        _ = Glibc.send(number, request, request.count, Int32(MSG_NOSIGNAL))
    }

    func answer() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &buffer, buffer.count, 0)
        let text = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        wasServed = text.hasPrefix("HTTP/1.1 200")
        return text
    }
}
