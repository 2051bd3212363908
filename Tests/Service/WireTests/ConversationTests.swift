import Glibc
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Plays every conversation of `Cases` to a real server: whole, byte by byte, and split in two at every offset. Those in
/// `Cases/service` are with the whole service, which has a picture `a.png`; the others with the bare server.
@Suite(.timeLimit(.minutes(5))) struct ConversationTests {
    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/Cases/"
    static let files = fileNames("")
    static let serviceFiles = fileNames("service/")

    /// Messages up to this length are split at every offset. Longer ones repeat a text to reach a limit: they are split at
    /// every offset near their ends, and within at some.
    private static let splitLimit = 1000
    private static let nearEnd = 150

    @Test(arguments: files)
    func conversation_goesAsWritten(_ file: String) throws {
        let conversation = try Conversation(name: file, text: Self.read(file))
        let server = try ScriptedServer()
        try playInEveryManner(conversation, to: server.address)
    }

    @Test(arguments: serviceFiles)
    func conversationWithTheService_goesAsWritten(_ file: String) throws {
        let conversation = try Conversation(name: file, text: Self.read(file))
        let service = try RunningService(pictures: PictureFolder())
        try playInEveryManner(conversation, to: service.address)
    }

    private func playInEveryManner(_ conversation: Conversation, to address: SocketAddress) throws {
        try play(conversation, to: address, pieces: { [$0[...]] }, "whole")
        try play(
            conversation, to: address,
            pieces: { bytes in
                // Long ones go in larger pieces: what they test is a limit.
                let length = max(1, bytes.count / Self.splitLimit)
                return stride(from: 0, to: bytes.count, by: length).map { bytes[$0..<min($0 + length, bytes.count)] }
            }, "in small pieces")
        let longest = conversation.steps.map { if case .send(let bytes) = $0 { bytes.count } else { 0 } }.max() ?? 0
        for split in Self.splits(of: longest) {
            try play(
                conversation, to: address, pieces: { [$0.prefix(split), $0.dropFirst(split)] }, "split at \(split)")
        }
    }

    /// Where a message of that length is cut in two.
    private static func splits(of byteCount: Int) -> [Int] {
        guard byteCount > splitLimit else { return Array(stride(from: 1, to: byteCount, by: 1)) }
        let within = stride(from: nearEnd, to: byteCount - nearEnd, by: max(1, byteCount / 40))
        return Array(1..<nearEnd) + Array(within) + Array((byteCount - nearEnd)..<byteCount)
    }

    @Test func thereAreConversations() {
        #expect(Self.files.count >= 150)
        #expect(Self.serviceFiles.count >= 20)
    }

    private func play(
        _ conversation: Conversation, to address: SocketAddress, pieces: ([UInt8]) -> [ArraySlice<UInt8>],
        _ manner: String
    ) throws {
        let client = try WireClient(address)
        var last: WireResponse?
        let place: Comment = "\(conversation.name), \(manner)"
        for step in conversation.steps {
            switch step {
            case .send(let bytes):
                for (index, piece) in pieces(bytes).enumerated() where !piece.isEmpty {
                    // Lets the server see the pieces one by one most of the time.
                    if index > 0 { usleep(50) }
                    client.send(Array(piece))
                }
            case .expect(let code, let toHead):
                do throws(WireFault) {
                    let response = try client.read(toHead: toHead)
                    last = response
                    #expect(response.code == code, place)
                } catch {
                    Issue.record("\(place): expected \(code), got \(error)")
                    return
                }
            case .field(let name, let value):
                let found = last?.field(name)
                #expect(found != nil && (value == nil || found == value), "\(place): \(name) is \(found ?? "missing")")
            case .noField(let name):
                #expect(last?.fields.contains { $0.name.lowercased() == name.lowercased() } == false, place)
            case .content(let text):
                #expect(last?.text.contains(text) == true, place)
            case .halfClose: client.endSending()
            case .kept: #expect(client.isKept(), place)
            case .closed: #expect(client.isClosed(), place)
            }
        }
    }

    private static func fileNames(_ part: String) -> [String] {
        guard let stream = opendir(folder + part) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".wire") { names.append(part + name) }
        }
        return names.sorted()
    }

    private static func read(_ name: String) -> String {
        guard let file = fopen(folder + name, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
