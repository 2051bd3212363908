#if DEBUG
    import Glibc
    import Testing

    @testable import Reactor

    /// Each in a process of its own, as a plan is the process's.
    @Suite struct ForcedErrorTests {
        @Test func onlyTheChosenCallFails_andOnlyWhereItCounts() async {
            await #expect(processExitsWith: .success) {
                let pair = try StreamSocket.makePair()
                ForcedErrors.arm(.send, first: 2, code: ENOBUFS)
                var results: [TransferResult] = []
                ForcedErrors.counting { for _ in 0..<3 { results.append(pair.near.sendText("x")) } }
                for _ in 0..<3 { results.append(pair.near.sendText("y")) }
                guard
                    results == [.bytes(1), .failed(Errno(code: ENOBUFS)), .bytes(1), .bytes(1), .bytes(1), .bytes(1)],
                    pair.far.receiveText() == "xxyyy"
                else { exit(10) }
                let outcome = ForcedErrors.disarm()
                guard outcome.askedCount == 3, outcome.forcedCount == 1 else { exit(11) }
                exit(0)
            }
        }

        @Test func interruptedCall_isRepeated() async {
            await #expect(processExitsWith: .success) {
                let pair = try StreamSocket.makePair()
                _ = pair.near.sendText("x")
                ForcedErrors.arm(.receive, first: 1, times: 5, code: EINTR)
                ForcedErrors.counting { if pair.far.receiveText() != "x" { exit(10) } }
                guard ForcedErrors.disarm().forcedCount == 5 else { exit(11) }
                exit(0)
            }
        }

        @Test func failedSendOfAFile_isTheValueOfItsCause() async {
            await #expect(processExitsWith: .success) {
                let spool = try FileDescriptor.openSpool(in: "/tmp")
                try [7].withUnsafeBytes { try spool.write(all: $0, at: 0) }
                let file = SharedFile(adopting: spool, byteCount: 1)
                let pair = try StreamSocket.makePair()
                for (code, result) in [
                    (EIO, .failed(Errno(code: EIO))), (EAGAIN, .wouldBlock), (EPIPE, .closed), (ECONNRESET, .closed),
                    (EINTR, .bytes(1)),
                ] as [(Int32, TransferResult)] {
                    ForcedErrors.arm(.sendFile, first: 1, code: code)
                    ForcedErrors.counting {
                        if pair.near.send(file: file, from: 0, count: 1) != result { exit(code) }
                    }
                }
                exit(0)
            }
        }

        @Test func failedWait_isAnEmptyTurn_untilItFailsForGood() async {
            await #expect(processExitsWith: .success) {
                let loop = try EventLoop()
                let pair = try StreamSocket.makePair()
                let recorder = Recorder()
                _ = try loop.add(pair.near.rawValue, .read, recorder)
                _ = pair.far.sendText("x")
                recorder.onReady = { _, loop in loop.stop() }
                ForcedErrors.arm(.wait, first: 1, times: 20, code: ENOMEM)
                try loop.run()
                guard recorder.seen == [.readable], ForcedErrors.disarm().forcedCount == 20 else { exit(10) }
                let broken = try EventLoop()
                ForcedErrors.arm(.wait, first: 1, times: 1000, code: EBADF)
                do throws(Errno) {
                    try broken.run()
                    exit(11)
                } catch {
                    guard error == .badDescriptor, ForcedErrors.disarm().forcedCount == 100 else { exit(12) }
                }
                exit(0)
            }
        }
    }
#endif
