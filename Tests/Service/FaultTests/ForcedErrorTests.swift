#if DEBUG
    import Glibc
    import Reactor
    import Testing

    /// The N-th system call of a kind fails, N = 1, 2, … until nothing failed any more. Each fault in a process of its own, as
    /// forced errors and descriptors are the process's.
    @Suite struct ForcedErrorTests {
        @Test(arguments: Fault.all.indices)
        func serverSurvivesEveryFailedCall(_ index: Int) async {
            await #expect(processExitsWith: .success, "\(Fault.all[index])") { [index] in
                let fault = Fault.all[index]
                let run = try FaultRun()
                var number = 1
                while try run.round(fault, failingFrom: number) == 1, number < 400 { number += 1 }
                // At least one call is made, and a client that comes and goes takes a bounded number.
                if number == 1 || number == 400 { complain("\(fault): ended at call \(number)") }
                exit(0)
            }
        }

        @Test(arguments: Fault.all.indices)
        func serverServesAgain_afterManyCallsInARowHaveFailed(_ index: Int) async {
            await #expect(processExitsWith: .success, "\(Fault.all[index])") { [index] in
                let run = try FaultRun()
                _ = try run.round(Fault.all[index], failingFrom: 1, times: 8)
                exit(0)
            }
        }

        @Test func acceptThatGoesOnFailing_isNoSpin_andOthersAreServed() async {
            await #expect(processExitsWith: .success) {
                let run = try FaultRun()
                let rate = try run.askedPerSecond(whileFailing: Fault(.accept, EMFILE))
                // A loop that spins asks some hundred thousand times.
                if rate > 400 { complain("accept was asked for \(rate) times a second") }
                exit(0)
            }
        }
    }
#endif
