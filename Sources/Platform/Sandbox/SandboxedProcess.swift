package import Bytes
import CSandbox
import Glibc
import Reactor

/// The other side of a `SandboxPool`: the main function of its processes.
package enum SandboxedProcess {
    /// Receives the setup, lets `prepare` load whatever may be needed, gives up all rights, and then answers jobs with `perform`,
    /// which may ask the pool. Returns never; the process ends when the pool is gone.
    package static func run(
        prepare: ([UInt8]) -> Bool,
        perform: (SandboxJob, _ ask: ([UInt8]) -> [UInt8]) -> (head: [UInt8], content: SharedBytes)
    ) -> Never {
        var buffer = [UInt8](repeating: 0, count: SandboxMessage.byteLimit)
        guard let setup = receive(into: &buffer)?.message, setup.kind == .setup, setup.numbers.count == 4,
            csandbox_begin(
                pid_t(truncatingIfNeeded: setup.numbers[0]), setup.numbers[1], setup.numbers[2],
                setup.numbers[3] > 0 ? 1 : 0) == 0,
            prepare(Array(setup.body))
        else { _exit(1) }
        let lacking = csandbox_enter()
        guard lacking >= 0 else { _exit(1) }
        let resultLimit = setup.numbers[2]
        send(.ready, [Int(lacking)])
        while true {
            if csandbox_wait(socket, idleMilliseconds) == 0 {
                Allocator.giveBackFree()
                LoadedCode.giveBack()
            }
            guard let (message, file) = receive(into: &buffer), message.kind == .job else { _exit(0) }
            let job = SandboxJob(head: Array(message.body), sources: sources(message.numbers, file))
            let (head, content) = perform(job) { question in
                send(.question, [], question)
                guard let answer = receive(into: &buffer)?.message, answer.kind == .answer else { _exit(0) }
                return Array(answer.body)
            }
            guard content.count <= resultLimit else { _exit(1) }
            let written = unsafe content.withUnsafeBytes { unsafe csandbox_write(result, $0.baseAddress, $0.count) }
            guard written == content.count else { _exit(1) }
            var resident = csandbox_resident_bytes()
            if resident > trimFrom {
                Allocator.giveBackFree()
                resident = csandbox_resident_bytes()
            }
            send(.reply, [content.count, resident], head)
        }
    }

    /// After this time without a job the process gives back what it does not need to wait: freed memory, and pages of its files.
    private static let idleMilliseconds: Int32 = 1000
    /// Resident bytes above which freed memory is given back after a job.
    private static let trimFrom = 96 << 20

    /// The pieces of `file`, which is closed.
    private static func sources(_ counts: [Int], _ file: Int32) -> [SharedBytes] {
        guard file >= 0 else { return counts.map { _ in SharedBytes([]) } }
        defer { _ = close(file) }
        let length = counts.reduce(0) { $0 + rounded($1) }
        guard let memory = unsafe csandbox_map(file, length) else { _exit(1) }
        let whole = unsafe SharedBytes(
            adopting: memory, count: length, release: { unsafe csandbox_unmap($0, length) })
        var offset = 0
        return counts.map { count in
            defer { offset += rounded(count) }
            return whole.slice(offset..<(offset + count))
        }
    }

    private static func rounded(_ count: Int) -> Int { (count + 15) / 16 * 16 }

    private static func send(_ kind: SandboxMessage.Kind, _ numbers: [Int] = [], _ body: [UInt8] = []) {
        let bytes = SandboxMessage.bytes(kind, numbers, body)
        let sent = unsafe bytes.withUnsafeBytes { unsafe csandbox_send(socket, $0.baseAddress, $0.count, -1, 1) }
        if sent != bytes.count { _exit(0) }
    }

    private static func receive(into buffer: inout [UInt8]) -> (message: SandboxMessage.Received, file: Int32)? {
        var file: Int32 = -1
        let count = unsafe csandbox_receive(socket, &buffer, buffer.count, &file)
        guard count > 0, count <= buffer.count, let message = SandboxMessage.read(Array(buffer[..<count])) else {
            return nil
        }
        return (message, file)
    }

    private static let socket = Int32(CSANDBOX_SOCKET)
    private static let result = Int32(CSANDBOX_RESULT)
}
