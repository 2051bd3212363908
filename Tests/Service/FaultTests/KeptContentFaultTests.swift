#if DEBUG
    import Glibc
    import HTTPServer
    import Reactor
    import TestSupport
    import Testing

    /// Content that its resource keeps as it comes, on a disk that fails.
    @Suite struct KeptContentFaultTests {
        /// Each of the writes fails in turn. In a process of its own, as forced errors are the process's.
        @Test(arguments: [ENOSPC, EDQUOT, EIO, EFBIG])
        func failedWrite_isToldAsWantOfRoom_andWhatCameBeforeIsKept(_ code: Int32) async {
            await #expect(processExitsWith: .success) { [code] in
                let server = try ScriptedServer()
                let content = ScriptedContent.bytes(200_000)
                for number in 1...5 {
                    ForcedErrors.arm(.writeSpool, first: number, code: code)
                    let client = try WireClient(server.address)
                    client.upload("/kept/\(number)/200000", content, method: "PATCH")
                    let status = try client.read().code
                    let isForced = ForcedErrors.disarm().forcedCount == 1
                    // Three buffers are written or four, as they are as full as the last read has made them.
                    if isForced != (number < 4), number != 4 { complain("write \(number): forced: \(isForced)") }
                    if status != (isForced ? 507 : 200) { complain("write \(number): \(status), forced: \(isForced)") }
                    if isForced, !client.isClosed() { complain("write \(number): the connection is kept") }
                    let kept = server.keepers(of: "\(number)").first
                    if !eventually({ kept?.isOver == true }) {
                        complain("write \(number): the keeper is not let go of")
                    }
                    let bytes = kept?.bytes ?? []
                    if !content.starts(with: bytes) || isForced != (bytes.count < content.count)
                        || isForced && kept?.pieces.count != number - 1
                    {
                        complain("write \(number): \(bytes.count) bytes are kept, in \(kept?.pieces ?? [])")
                    }
                }
                server.stop()
                exit(0)
            }
        }
    }
#endif
