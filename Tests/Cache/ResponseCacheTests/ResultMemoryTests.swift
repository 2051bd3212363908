import Bytes
import Testing

@testable import ResponseCache

@Suite(.timeLimit(.minutes(5))) struct ResultMemoryTests {
    @Test func results_countOnce_untilTheirLastReferenceGoes() {
        let memory = ResultMemory(byteLimit: 100)
        var first: SharedBytes? = memory.counted(SharedBytes([UInt8](repeating: 7, count: 80)))
        var slice = first?.slice(10..<20)
        #expect(memory.byteCount == 80 && !memory.isFull)
        let second = memory.counted(SharedBytes([UInt8](repeating: 8, count: 40)))
        #expect(memory.byteCount == 120 && memory.isFull)
        #expect(first?.withUnsafeBytes { Array($0) } == [UInt8](repeating: 7, count: 80))
        first = nil
        #expect(memory.byteCount == 120, "a part of it is still to be sent")
        slice = nil
        #expect(memory.byteCount == 40 && !memory.isFull && slice == nil)
        #expect(memory.counted(SharedBytes([])).count == 0 && memory.byteCount == 40)
        withExtendedLifetime(second) {}
    }
}
