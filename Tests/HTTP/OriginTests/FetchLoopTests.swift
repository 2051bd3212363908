import Bytes
import Glibc
import HTTPMessage
import Reactor
import Synchronization
import Testing
import FakeOrigin

@testable import Origin

/// Exchanges with a real origin that misbehaves.
@Suite(.timeLimit(.minutes(5))) struct FetchLoopTests {
    @Test func answer_comesWhole_andTheConnectionIsUsedAgain() throws {
        try withTrialOrigin({ seen in .answer(200, "hello \(seen.target)", "ETag: \"a\"") }) { origin in
            let world = try FetchWorld()
            for index in 0..<3 {
                let outcome = try world.run(origin.url("/\(index)?x"))
                #expect(outcome.end == .complete)
                #expect(outcome.head?.status == .ok)
                #expect(outcome.head?.fields.first("etag") == "\"a\"")
                #expect(outcome.text == "hello /\(index)?x")
                #expect(outcome.report.address == "127.0.0.1")
                #expect(outcome.report.newConnections == (index == 0 ? 1 : 0))
            }
            #expect(origin.connectionCount == 1)
            let seen = try #require(origin.requests.first)
            #expect(seen.method == "GET")
            #expect(seen.fields["host"] == "127.0.0.1:\(origin.port)")
            // Nothing is asked for that was not told to: no agent, no coding.
            #expect(Set(seen.fields.keys) == ["host", "accept"])
        }
    }

    @Test func manyAtATime_areServedOverFewConnections() throws {
        try withTrialOrigin({ _ in .answer() }) { origin in
            let world = try FetchWorld(perHost: 3)
            let outcomes = try world.run(Array(repeating: origin.url(), count: 40))
            #expect(outcomes.allSatisfy { $0.end == .complete && $0.text == "content" })
            #expect(origin.connectionCount <= 3)
        }
    }

    @Test func forbiddenAddress_isNeverConnectedTo() throws {
        try withTrialOrigin({ _ in .answer() }) { origin in
            let world = try FetchWorld(exceptions: [])
            #expect(try world.run(origin.url()).error == .addressForbidden)
            // Neither by name, nor in another spelling of the same address.
            #expect(try world.run("http://localhost:\(origin.port)/").error == .addressForbidden)
            #expect(try world.run("http://[::ffff:127.0.0.1]:\(origin.port)/").error == .addressForbidden)
            #expect(origin.connectionCount == 0)
        }
    }

    @Test func nameThatChangesItsAddress_isCheckedWhereItLeads() throws {
        try withTrialOrigin({ _ in .answer() }) { origin in
            let text = "http://pictures.test:\(origin.port)/"
            let allowed = try FetchWorld(resolve: "pictures.test:\(origin.port):127.0.0.1")
            #expect(try allowed.run(text).end == .complete)
            let changed = try FetchWorld(exceptions: ["127.0.0.2"], resolve: "pictures.test:\(origin.port):127.0.0.1")
            #expect(try changed.run(text).error == .addressForbidden)
            #expect(origin.connectionCount == 1)
        }
    }

    /// DNS answers with several addresses: those that are forbidden are passed over, and none is connected to.
    @Test func nameWithSeveralAddresses_isConnectedToWhereItMayBe() throws {
        try withTrialOrigin({ _ in .answer() }) { origin in
            let text = "http://pictures.test:\(origin.port)/"
            for (addresses, error) in [
                ("10.0.0.1,169.254.169.254,127.0.0.1", nil), ("127.0.0.1,10.0.0.1", nil), ("::1,127.0.0.1", nil),
                ("10.0.0.1,169.254.169.254", OriginError.addressForbidden), ("fe80::1,::1", .addressForbidden),
                ("127.0.0.2,10.0.0.1", .unreachable),
            ] {
                let world = try FetchWorld(
                    exceptions: ["127.0.0.1", "127.0.0.2"], resolve: "pictures.test:\(origin.port):\(addresses)")
                let outcome = try world.run(text)
                #expect(outcome.error == error, "\(addresses)")
                #expect(outcome.report.address == (error == nil ? "127.0.0.1" : outcome.report.address))
            }
            #expect(origin.connectionCount == 3)
        }
    }

    /// What libcurl takes apart itself is bounded as it comes out, not as it came in.
    @Test func transferCoding_isNoWayAroundTheLimit() throws {
        // A mebibyte of zeros in a gzip of a kilobyte.
        let bomb: [UInt8] =
            [
                0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00,
                0xc2, 0xa0, 0xf5, 0x4f, 0x6d, 0x08, 0x5f, 0xa0,
            ]
            + [UInt8](repeating: 0, count: 1016)
            + [0x3e, 0x03, 0x1c, 0xea, 0x38, 0xa7, 0x00, 0x00, 0x10, 0x00]
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n\(String(bomb.count, radix: 16))\r\n"
        try withTrialOrigin({ _ in [.text(head), .bytes(bomb), .text("\r\n0\r\n\r\n")] }) { origin in
            let world = try FetchWorld()
            let outcome = try world.run(origin.url(), byteLimit: 65_536)
            #expect(outcome.error != nil)
            #expect(outcome.content.count <= 65_536)
        }
    }

    /// In a process of its own: clients of other tests would take the proxies.
    @Test func proxiesOfTheEnvironment_areIgnored() async {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:9", 1)
            setenv("ALL_PROXY", "http://127.0.0.1:9", 1)
            try withTrialOrigin({ _ in .answer() }) { origin in
                let world = try FetchWorld()
                guard try world.run(origin.url()).end == .complete else { exit(10) }
            }
            exit(0)
        }
    }

    @Test func redirect_isNotFollowedHere() throws {
        try withTrialOrigin({ _ in .redirect("/elsewhere") }) { origin in
            let world = try FetchWorld()
            let outcome = try world.run(origin.url())
            #expect(outcome.head?.status == .found)
            #expect(outcome.head?.fields.first("location") == "/elsewhere")
            #expect(origin.requests.count == 1)
        }
    }

    private static func head(of count: Int, lineByteCount: Int) -> [FakeOrigin.Step] {
        let lines = String(repeating: "X: \(String(repeating: "x", count: lineByteCount - 5))\r\n", count: count)
        return [.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\(lines)\r\nabc"), .close]
    }

    @Test(
        arguments: [
            ("cut content", [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .close], .broken),
            ("cut chunks", [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"), .close], .broken),
            ("reset", [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .reset], .broken),
            ("nothing", [.close], .broken),
            ("no HTTP", [.text("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .close], .notHTTP),
            ("HTTP/0.9", [.text("<html>hello</html>"), .close], .notHTTP),
            ("wrong status", [.text("HTTP/1.1 9 x\r\n\r\n"), .close], .notHTTP),
            ("continued line", [.text("HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n")], .notHTTP),
            (
                "wrong chunk", [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc"), .close],
                .broken
            ),
            // #15.14: libcurl refuses a line of more than 100 KiB itself.
            ("long head", Self.head(of: 70, lineByteCount: 1_000), .headTooLarge),
            ("long line", Self.head(of: 1, lineByteCount: 80_000), .headTooLarge),
            ("longer line", Self.head(of: 1, lineByteCount: 200_000), .headTooLarge),
            (
                "longer line after an interim head",
                [.text("HTTP/1.1 103 Early Hints\r\n\r\n")] + Self.head(of: 1, lineByteCount: 200_000), .headTooLarge
            ),
            ("wrong length", [.text("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc"), .close], .notHTTP),
            (
                "two lengths", [.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabc"), .close],
                .notHTTP
            ),
        ] as [(String, [FakeOrigin.Step], OriginError)])
    func brokenAnswer_isAnError(_ name: String, _ steps: [FakeOrigin.Step], _ error: OriginError) throws {
        try withTrialOrigin({ _ in steps }) { origin in
            let world = try FetchWorld()
            let outcome = try world.run(origin.url())
            #expect(outcome.error == error, "\(name): \(outcome.end)")
        }
    }

    /// What an origin says beyond the length that it gave belongs to nothing, least of all to the next request.
    @Test func contentBeyondItsLength_isNobodysAnswer() throws {
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        try withTrialOrigin({ seen in
            seen.target == "/first"
                ? [.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc\(forged)\(forged)")] : .answer(200, "honest")
        }) { origin in
            let world = try FetchWorld()
            for _ in 0..<20 {
                let first = try world.run(origin.url("/first"))
                #expect((first.end, first.text) == (.complete, "abc"))
                #expect(try world.run(origin.url("/next")).text == "honest")
            }
        }
    }

    @Test func endlessHead_isBrokenOff() throws {
        try withTrialOrigin({ _ in [.text("HTTP/1.1 200 OK\r\nA: "), .endless] }) { origin in
            let world = try FetchWorld()
            #expect(try world.run(origin.url()).error != nil)
        }
        let lines = String(repeating: "A: b\r\n", count: 20_000)
        try withTrialOrigin({ _ in [.text("HTTP/1.1 200 OK\r\n" + lines + "\r\n"), .close] }) { origin in
            let world = try FetchWorld()
            #expect(try world.run(origin.url()).error == .headTooLarge)
        }
    }

    @Test func endlessContent_endsWhenTheHandlerHasEnough() throws {
        try withTrialOrigin({ _ in [.text("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"), .endless] }) {
            origin in
            let world = try FetchWorld()
            let outcome = try world.run(origin.url(), byteLimit: 100_000)
            #expect(outcome.error == .cancelled)
            #expect(outcome.content.count <= 100_000)
        }
    }

    @Test func silentOrigin_timesOut_withoutHoldingOthers() throws {
        try withTrialOrigin({ seen in seen.target == "/silent" ? [.wait("never")] : .answer() }) { origin in
            let world = try FetchWorld(perHost: 300)
            var limits = ExchangeLimits()
            limits.firstByte = .milliseconds(300)
            let silent = try world.start(Array(repeating: origin.url("/silent"), count: 100), limits: limits)
            #expect(try world.run(origin.url("/other")).end == .complete)
            #expect(silent.map { $0.wait() }.allSatisfy { $0.error == .timedOut })
        }
    }

    /// The time of the first byte begins with the connection: the one before that time is over is another's.
    @Test func waitForAConnection_isNotTheOriginsSilence() throws {
        try withTrialOrigin({ seen in
            switch seen.target {
            case "/held": [.wait("go")] + .answer()
            case "/silent": [.wait("never")]
            default: .answer()
            }
        }) { origin in
            let world = try FetchWorld(perHost: 1, resolve: "elsewhere.test:\(origin.port):127.0.0.1")
            var patient = ExchangeLimits()
            (patient.wait, patient.firstByte, patient.total) = (.seconds(600), .seconds(600), .seconds(600))
            patient.slowFor = .seconds(600)
            var brief = patient
            brief.firstByte = .seconds(2)
            let held = try world.start([origin.url("/held")], limits: patient)[0]
            origin.waitForRequests(1)
            let waiting = try world.start([origin.url("/next")], limits: brief)[0]
            // Over a connection to another host, and with the same time: it is over later than that of the waiting one would be.
            let elsewhere = "http://elsewhere.test:\(origin.port)/silent"
            #expect(try world.start([elsewhere], limits: brief)[0].wait().error == .timedOut)
            #expect(!waiting.hasEnded)
            origin.release("go")
            #expect(held.wait().end == .complete)
            #expect(waiting.wait().end == .complete)
        }
    }

    /// Without TLS nothing tells that there is no HTTP/2 before the first answer, and others waited for that.
    @Test func anAddressThatHangs_holdsNoOtherOfItsOrigin() throws {
        try withTrialOrigin({ seen in (seen.target == "/held" ? [.wait("go")] : []) + .answer() }) { origin in
            let world = try FetchWorld()
            let held = try world.start([origin.url("/held")])[0]
            origin.waitForRequests(1)
            #expect(try world.run(origin.url("/next")).end == .complete)
            #expect(!held.hasEnded)
            origin.release("go")
            #expect(held.wait().end == .complete)
        }
    }

    @Test func slowOrigin_timesOut() throws {
        try withTrialOrigin({ _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .wait("never")] }) {
            origin in
            let world = try FetchWorld()
            // A busy machine may take longer than the first limit until the three bytes are there.
            for limit in [Duration.milliseconds(300), .seconds(3), .seconds(30)] {
                var limits = ExchangeLimits()
                limits.total = limit
                let outcome = try world.start([origin.url()], limits: limits)[0].wait()
                #expect(outcome.error == .timedOut)
                if outcome.text == "abc" { return }
            }
            Issue.record("nothing of the content came")
        }
    }

    @Test func nobodyAtThePort_isUnreachable_andNoName_isUnknown() throws {
        let port = try withTrialOrigin({ _ in [] }) { $0.port }
        let world = try FetchWorld()
        #expect(try world.run("http://127.0.0.1:\(port)/").error == .unreachable)
        #expect(try world.run("http://no-such-name.invalid/").error == .nameUnknown)
    }

    @Test func content_isSent() throws {
        try withTrialOrigin({ seen in .answer(200, "\(seen.method) \(seen.content.count)") }) { origin in
            let world = try FetchWorld()
            for count in [0, 1, 100_000] {
                let outcome = try world.run(
                    origin.url(), method: "POST", content: [UInt8](repeating: 0x78, count: count))
                #expect(outcome.text == "POST \(count)")
            }
        }
    }

    @Test func cancelledExchange_isToldNothing_andOthersGoOn() throws {
        try withTrialOrigin({ seen in seen.target == "/wait" ? [.wait("go")] + .answer() : .answer() }) { origin in
            let world = try FetchWorld()
            let pending = try world.start([origin.url("/wait")])[0]
            origin.waitForRequests(1)
            world.cancelAll()
            #expect(try world.run(origin.url("/other")).end == .complete)
            origin.release("go")
            #expect(!pending.hasEnded)
        }
    }

    @Test func endOfTheLoop_endsWhatRuns() throws {
        try withTrialOrigin({ _ in [.wait("never")] }) { origin in
            let world = try FetchWorld()
            _ = try world.start(Array(repeating: origin.url(), count: 10))
            origin.waitForRequests(1)
            world.stop()
        }
    }
}
