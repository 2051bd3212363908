import Bytes
import ClientBudgets
import Reactor
import ResponseCache
import Testing

@testable import Renditions

@Suite(.timeLimit(.minutes(5))) struct UnsentResultsTests {
    private let results = ResultMemory(byteLimit: 100)
    private let mallory = BudgetClient.network(ClientNetwork(ipv4: 1))

    private func result(_ count: Int) -> SharedBytes {
        results.counted(SharedBytes([UInt8](repeating: 7, count: count)))
    }

    @Test func aClient_holdsAsMuchAsItLeavesForOthers() {
        let unsent = UnsentResults(results)
        let first = unsent.sending(result(40), to: mallory)
        #expect(first != nil && unsent.hasRoom(for: mallory))
        #expect(unsent.sending(result(30), to: mallory) == nil, "70 of 100")
        #expect(results.byteCount == 40)
        let others = unsent.sending(result(30), to: .local)
        #expect(others != nil, "alone it holds less than is left")
        #expect(!unsent.hasRoom(for: mallory), "40 where 30 are left")
        #expect(unsent.hasRoom(for: .key("site")) && unsent.hasRoom(for: nil))
        withExtendedLifetime((first, others)) {}
    }

    @Test func oneResult_hasAnyLength_andIsForgottenOnceItIsSent() {
        let unsent = UnsentResults(results)
        var large = unsent.sending(result(90), to: mallory)
        #expect(large?.count == 90 && unsent.clientCount == 1)
        #expect(!unsent.hasRoom(for: mallory) && unsent.hasRoom(for: .local))
        large = nil
        #expect(unsent.clientCount == 0 && results.byteCount == 0 && unsent.hasRoom(for: mallory))
        #expect(large == nil && unsent.sending(SharedBytes([]), to: mallory)?.count == 0 && unsent.clientCount == 0)
    }

    @Test func aResultThatAClientIsSentTwice_countsOnce() {
        let unsent = UnsentResults(results)
        let content = result(40)
        var sendings = (0..<3).map { _ in unsent.sending(content, to: mallory) }
        #expect(sendings.allSatisfy { $0?.count == 40 } && unsent.hasRoom(for: mallory))
        sendings.removeLast(2)
        #expect(unsent.clientCount == 1)
        sendings = []
        #expect(unsent.clientCount == 0)
        withExtendedLifetime(content) {}
    }

    /// Originals and tiles, which no cache of results has.
    @Test func contentThatNothingElseCounts_countsOnce_amongTheResults() {
        let unsent = UnsentResults(results)
        let content = SharedBytes([UInt8](repeating: 7, count: 40))
        var sendings = [unsent.sending(content, to: mallory), unsent.sending(content, to: .local)]
        #expect(sendings.allSatisfy { $0?.count == 40 } && results.byteCount == 40)
        // What is passed on is not counted anew.
        var again = sendings[0].flatMap { unsent.sending($0.slice(0..<30), to: .key("site")) }
        #expect(again?.count == 30 && results.byteCount == 40)
        again = nil
        sendings.removeLast()
        #expect(again == nil && results.byteCount == 40 && unsent.clientCount == 1)
        sendings = []
        #expect(results.byteCount == 0 && unsent.clientCount == 0)
    }

    @Test func contentThatNothingElseCounts_isRefused_whereThereIsNoRoom() {
        let unsent = UnsentResults(results)
        let content = (0..<3).map { _ in SharedBytes([UInt8](repeating: 7, count: 60)) }
        var first = unsent.sending(content[0], to: mallory)
        #expect(first?.count == 60)
        #expect(unsent.sending(content[1], to: mallory) == nil, "120 of 100")
        #expect(results.byteCount == 60)
        let others = unsent.sending(content[1], to: .local)
        #expect(others?.count == 60, "the first of a client has any length")
        #expect(unsent.sending(content[2], to: .key("site")) == nil, "no room is left")
        first = nil
        #expect(first == nil && results.byteCount == 60)
        let third = unsent.sending(content[2], to: .key("site"))
        #expect(third?.count == 60)
        withExtendedLifetime((others, third)) {}
    }
}
