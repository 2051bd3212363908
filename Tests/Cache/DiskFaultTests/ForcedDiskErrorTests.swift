#if DEBUG
    import DiskTestKit
    import Glibc
    import Testing

    /// The N-th system call of a kind fails, N = 1, 2, … until nothing failed any more: no crash, no wrong byte, no
    /// descriptor and no half-written file left. Each kind in a process of its own, as forced errors and descriptors are the
    /// process's.
    @Suite struct ForcedDiskErrorTests {
        @Test(arguments: DiskFault.codes.indices)
        func storeSurvivesEveryFailedCall(_ index: Int) async {
            await #expect(processExitsWith: .success, "\(DiskFault.codes[index].call)") { [index] in
                let (call, codes) = DiskFault.codes[index]
                let run = try DiskFaultRun()
                for (place, code) in codes.enumerated() {
                    do throws(Complaint) {
                        try Self.fail(DiskFault(call: call, code: code), in: run, everywhere: place == 0)
                    } catch {
                        run.end()
                        complain("\(error)")
                    }
                }
                run.end()
                exit(0)
            }
        }

        /// Where calls are made does not depend on the code: one fails everywhere, the others here and there.
        private static func fail(_ fault: DiskFault, in run: DiskFaultRun, everywhere: Bool) throws(Complaint) {
            var number = 1
            var idleRoundCount = 0
            while idleRoundCount < DiskFaultRun.variety, number < 400 {
                idleRoundCount = try run.round(fault, failingFrom: number) == 0 ? idleRoundCount + 1 : 0
                number += everywhere ? 1 : 1 + number / 2
            }
            if number <= DiskFaultRun.variety { throw Complaint("\(fault): no such call is ever made") }
            // What is interrupted for ever is repeated for ever.
            for _ in 0..<DiskFaultRun.variety {
                _ = try run.round(fault, failingFrom: 1, times: fault.code == EINTR ? 50 : 1 << 40)
            }
        }
    }

    /// Ends the process of the test; the text says what was wrong.
    private func complain(_ text: String) -> Never {
        Issue.record("\(text)")
        exit(1)
    }
#endif
