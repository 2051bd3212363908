import Reactor
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct HealthProbeTests {
    /// The backlog takes the connection and the request, and nobody ever answers.
    @Test func serverThatHangs_isNotReady() throws {
        let listener = try Listener.bind(try #require(SocketAddress("127.0.0.1:0")), backlog: 4)
        let address = try listener.localAddress()
        #expect(!HealthProbe.isReady(at: "\(address)", patience: .milliseconds(50)))
    }

    @Test func nobody_isNotReady() {
        #expect(!HealthProbe.isReady(at: "127.0.0.1:1"))
        #expect(!HealthProbe.isReady(at: "systemd"))
    }
}
