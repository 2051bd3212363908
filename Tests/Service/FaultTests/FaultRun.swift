#if DEBUG
    import Glibc
    import HTTPServer
    import Reactor
    import TestSupport

    /// A server under forced errors, with clients that must not notice any of them: their requests are under way meanwhile.
    final class FaultRun {
        private let server: ScriptedServer
        private let bystanders: [WireClient]
        private var descriptorCount = 0
        private var roundCount = 0

        init() throws {
            server = try ScriptedServer(loops: 2) { $0.spoolFolder = "/tmp" }
            let address = server.address
            bystanders = try (0..<4).map { _ in try WireClient(address) }
            guard try meetServer() == .served else { complain("a client is not served before all") }
            // The client that was served must be gone from its loop, or its descriptor would be counted too.
            let isLetGo = eventually { server.statistics.openConnectionCount == bystanders.count }
            if !isLetGo { complain("a connection is left over before all") }
            for bystander in bystanders where !bystander.isKept() { complain("a client is not served before all") }
            descriptorCount = openDescriptorCount()
        }

        /// Lets `times` calls from number `number` on fail while a client comes and goes, then looks at everything else.
        /// Returns how many calls have failed.
        func round(_ fault: Fault, failingFrom number: Int, times: Int = 1) throws -> Int {
            let place = "\(fault), call \(number)"
            let release = askForLater()
            ForcedErrors.arm(fault.call, first: number, times: times, code: fault.code)
            let visit = try meetServer()
            let isLetGo = eventually { server.statistics.openConnectionCount == bystanders.count }
            let outcome = ForcedErrors.disarm()
            if !isLetGo { complain("\(place): a connection is left over") }
            if visit == .cutOff, fault.isHarmless || outcome.forcedCount == 0 {
                complain("\(place): the client was cut off")
            }
            if visit == .refused, fault.isHarmless || outcome.forcedCount == 0 {
                complain("\(place): the client was refused")
            }
            // The next client comes while the others still wait: once it is accepted, the acceptor has asked every loop for the
            // room that a shortage takes, and no connection of the others was idle then.
            guard try meetServer() == .served else { complain("\(place): the next client is not served") }
            if !release() { complain("\(place): another client is hurt") }
            // Fewer are no leak: what the first client left open may have been counted before it was closed.
            if !eventually({ openDescriptorCount() <= descriptorCount }) {
                complain("\(place): \(openDescriptorCount()) descriptors, not \(descriptorCount)")
            }
            return outcome.forcedCount
        }

        /// How often the call is made in a second, while it always fails and a client waits for it.
        func askedPerSecond(whileFailing fault: Fault) throws -> Double {
            let release = askForLater()
            ForcedErrors.arm(fault.call, first: 1, times: 1 << 40, code: fault.code)
            let start = ContinuousClock.now
            let waiting = try WireClient(server.address)
            waiting.request("/now/late")
            if !eventually({ ForcedErrors.outcome.askedCount > 0 }) { complain("\(fault): nobody asks") }
            Processors.pause(.milliseconds(300))
            if !release() { complain("\(fault): another client is hurt") }
            // The longer the machine holds this up, the more may have been asked: what counts is how often.
            let askedCount = ForcedErrors.disarm().askedCount
            let elapsed = ContinuousClock.now - start
            let answer = try waiting.read()
            if answer.code != 200 && answer.code != 503 { complain("\(fault): then \(answer.code)") }
            return Double(askedCount) / (elapsed / .seconds(1))
        }

        /// Lets every bystander ask for what is answered when the returned function is called; that says whether all got it.
        private func askForLater() -> () -> Bool {
            roundCount += 1
            let name = "round-\(roundCount)"
            for bystander in bystanders { bystander.request("/later/\(name)") }
            if !server.waitForRequests(roundCount * bystanders.count) { complain("\(name): a request is lost") }
            return { [server, bystanders] in
                server.release(name)
                return bystanders.allSatisfy { bystander in
                    do throws(WireFault) { return try bystander.read().text == name } catch { return false }
                }
            }
        }

        private enum Visit {
            case served
            /// Told that there is no room.
            case refused
            case cutOff
        }

        /// A client that sends and gets small and large content. One that is not served is told nothing wrong.
        private func meetServer() throws -> Visit {
            do throws(WireFault) {
                let client = try connect()
                for (target, byteCount) in [
                    ("/now/small", 5), ("/large/3000000", 3_000_000), ("/file/2000000", 2_000_000),
                ] {
                    let answer = try client.get(target)
                    if [503, 507].contains(answer.code) { return .refused }
                    if answer.code != 200 || answer.content.count != byteCount {
                        complain("\(target): \(answer.code), \(answer.content.count) bytes")
                    }
                }
                client.request("/stored", method: "PUT", "Content-Length: 300000")
                client.send([UInt8](repeating: 0x7a, count: 300_000))
                let stored = try client.read()
                if [503, 507].contains(stored.code) { return .refused }
                if stored.text != "300000" { complain("/stored: \(stored.code) \(stored.text)") }
                return .served
            } catch {
                if case .closed = error { return .cutOff }
                complain("a client was left waiting or told nonsense: \(error)")
            }
        }

        private func connect() throws(WireFault) -> WireClient {
            do { return try WireClient(server.address) } catch { throw .closed(afterByteCount: 0) }
        }
    }
#endif
