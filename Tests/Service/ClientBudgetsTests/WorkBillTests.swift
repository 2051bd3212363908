import ClientBudgets
import Reactor
import Testing

@Suite(.timeLimit(.minutes(5))) struct WorkBillTests {
    private let clock = HandMovedClock()
    private let budgets: ClientBudgets
    private let client = BudgetClient.network(ClientNetwork(ipv4: 0x7F00_0001))

    init() throws {
        budgets = ClientBudgets(try #require(BudgetRate(refill: 1, depth: 10)), clientLimit: 64, clock: clock.clock)
    }

    private func isLeft(_ seconds: Double) -> Bool { abs(budgets.left(of: client) - seconds) < 1e-6 }

    @Test func theHighestPrediction_isCharged_andSettledByWhatWasUsed() throws {
        let bill = WorkBill(budgets, client)
        try bill.open()
        #expect(bill.predict(microseconds: 4_000_000))
        #expect(bill.predict(microseconds: 3_000_000))
        #expect(isLeft(6))
        bill.used(microseconds: 3_000_000)
        #expect(isLeft(6))
        bill.close()
        #expect(isLeft(7))
        bill.close()
        #expect(isLeft(7))
    }

    /// Threads of libraries are not seen.
    @Test func begunWork_costsAtLeastHalfOfItsPrediction_andMoreWhereItTookMore() throws {
        let bill = WorkBill(budgets, client)
        #expect(bill.predict(microseconds: 4_000_000))
        bill.used(microseconds: 1000)
        bill.close()
        #expect(isLeft(8))
        #expect(bill.predict(microseconds: 1_000_000))
        bill.used(microseconds: 9_000_000)
        bill.close()
        #expect(isLeft(-1))
    }

    @Test func unpaidWork_isRefused_andChargesNothing() throws {
        let bill = WorkBill(budgets, client)
        #expect(bill.predict(microseconds: 8_000_000))
        let other = WorkBill(budgets, client)
        try other.open()
        #expect(!other.predict(microseconds: 5_000_000))
        let refusal = try #require(other.refusal)
        #expect(refusal.retryAfterSeconds == 3)
        #expect(refusal.depthMilliseconds == 10_000)
        #expect(refusal.windowSeconds == 10)
        other.close()
        #expect(isLeft(2))
    }

    @Test func billThatIsLetGo_isSettled() throws {
        do {
            let bill = WorkBill(budgets, client)
            #expect(bill.predict(microseconds: 8_000_000))
        }
        #expect(isLeft(10))
    }

    @Test func emptyBudget_refusesAtOnce() throws {
        let bill = WorkBill(budgets, client)
        #expect(bill.predict(microseconds: 60_000_000))
        #expect(isLeft(-50))
        #expect(throws: BudgetRefusal.self) { try WorkBill(budgets, client).open() }
        clock.advance(by: .seconds(51))
        #expect(throws: Never.self) { try WorkBill(budgets, client).open() }
    }

    @Test func bytes_countAsTime_onWhateverThread() {
        let bill = WorkBill(budgets, client)
        let byteCount = Int(ClientBudgets.bytesPerSecond)
        bill.measure {
            WorkMeter.current?.add(.fetched(byteCount: byteCount))
            WorkMeter.current?.add(.written(byteCount: byteCount))
            WorkMeter.current?.add(.processorTime(microseconds: 1_000_000))
        }
        #expect(WorkMeter.current == nil)
        bill.close()
        // And what this thread took.
        #expect(budgets.left(of: client) <= 7)
        #expect(budgets.left(of: client) > 6)
    }

    @Test func tableOfClients_isBounded() {
        for address in 0..<100_000 {
            let bill = WorkBill(budgets, .network(ClientNetwork(ipv6: UInt64(address), 1)))
            _ = bill.predict(microseconds: 60_000_000)
            bill.used(microseconds: 60_000_000)
        }
        #expect(budgets.clientCount <= 64)
    }

    @Test func networks_areIPv4AddressesAndSlash64() {
        #expect(ClientNetwork(ipv6: 0, 0xFFFF_7F00_0001) == ClientNetwork(ipv4: 0x7F00_0001))
        #expect(ClientNetwork(ipv6: 5, 1) == ClientNetwork(ipv6: 5, 2))
        #expect(ClientNetwork(ipv6: 5, 1) != ClientNetwork(ipv6: 6, 1))
        #expect(ClientNetwork(ipv6: 5, 1) != ClientNetwork(ipv4: 5))
    }
}
