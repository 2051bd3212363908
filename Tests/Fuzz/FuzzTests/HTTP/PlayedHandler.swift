import Bytes
import HTTPMessage
import Reactor

@testable import HTTPServer

/// Answers as the first letter of the path says, and keeps account of what the server owes.
final class PlayedHandler: RequestHandler {
    /// A request or a piece of an answer that the script answers later.
    enum Debt {
        case answer(PlayedRequest, Responder)
        case piece(PlayedStream, PieceSink)
    }

    private(set) var debts: [Debt] = []
    private(set) var requests: [PlayedRequest] = []
    private(set) var streams: [PlayedStream] = []
    private(set) var refusalCount = 0
    private(set) var exchanges: [Exchange] = []
    /// Whether each answer that was begun is sent whole, whatever the client does.
    private(set) var mayBreakOff = false
    /// Whether content of a request was taken in, which may go to a file.
    private(set) var hasTakenContent = false
    /// What was kept of contents as they came.
    let kept = KeptContents()
    private(set) var fault: BrokenInvariant?
    /// Whether nothing is put off any more.
    var isEager = false
    private let contents: PlayedContents

    init(_ contents: PlayedContents) { self.contents = contents }

    // MARK: RequestHandler

    var recordsExchanges: Bool { true }

    func finished(_ exchange: Exchange) { exchanges.append(exchange) }

    func contentRule(for head: RequestHead, from peer: SocketAddress?) -> ContentRule? {
        let rule = self.rule(for: head)
        if rule != nil { hasTakenContent = true }
        return rule
    }

    private func rule(for head: RequestHead) -> ContentRule? {
        switch letter(head) {
        case "k": ContentRule(byteLimit: 4096, isRequired: true)
        case "t": ContentRule(byteLimit: 1 << 20, mediaTypes: ["text/plain"], isRequired: false)
        case "w": ContentRule(byteLimit: 1 << 20, isRequired: false, makeKeeper: { [kept] _ in kept.makeKeeper() })
        default: nil
        }
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let played = PlayedRequest(number: requests.count + 1, isHead: request.head.method == .head)
        requests.append(played)
        checkContent(request)
        switch letter(request.head) {
        case "l" where !isEager:
            debts.append(.answer(played, responder))
            return .later(onAbandon: { played.abandonCount += 1 })
        case "x":
            played.isAnswered = true
            responder.respond(response(to: played, contents.small))
            responder.respond(response(to: played, contents.large))
            return .later(onAbandon: { played.abandonCount += 1 })
        case let letter: return .now(response(to: played, letter: letter, request.head.target.path.utf8.count))
        }
    }

    func answer(to failure: RequestFailure) -> Response {
        refusalCount += 1
        return Response(
            status: failure.status, fields: FieldLines(), content: .bytes(SharedBytes(AnswerReader.refusal)))
    }

    private func letter(_ head: RequestHead) -> Character { head.target.path.dropFirst().first ?? "n" }

    /// Content of known length came whole, and none came that nobody asked for.
    private func checkContent(_ request: Request) {
        let count = request.content.byteCount
        let isRight =
            switch request.head.framing {
            case .none: count == 0
            case .length(let length): count == (rule(for: request.head) == nil ? 0 : length)
            case .chunked: rule(for: request.head) != nil || count == 0
            }
        if case .kept(let keeper, _) = request.content, (keeper as? KeptContents.Keeper)?.byteCount != count {
            fault = BrokenInvariant("the keeper of \(count) bytes has another number")
        }
        if !isRight { fault = BrokenInvariant("\(count) bytes of content for \(request.head.framing)") }
    }

    // MARK: The script's part

    /// Answers the request or pull that has waited for longest.
    func payDebt(manner: Int) {
        guard !debts.isEmpty else { return }
        switch debts.removeFirst() {
        case .answer(let played, let responder):
            let letters: [Character] = ["n", "b", "f", "p", "s", "e", "m", "c"]
            played.isAnswered = true
            responder.respond(response(to: played, letter: letters[manner & 7], manner >> 3))
            if manner & 16 != 0 { responder.respond(response(to: played, contents.small)) }
        case .piece(let stream, let sink): give(manner, to: stream, sink)
        }
    }

    /// Whether a stream waits for its next piece, which the server does not do for ever.
    var owesPiece: Bool { debts.contains { if case .piece = $0 { true } else { false } } }

    // MARK: Answers

    private func response(to request: PlayedRequest, letter: Character, _ choice: Int) -> Response {
        switch letter {
        case "b": return response(to: request, contents.large)
        case "f": return response(to: request, contents.file)
        case "p": return response(to: request, contents.parts)
        case "g":
            mayBreakOff = true
            return response(to: request, contents.cutFile)
        case "s": return response(to: request, .stream(makeStream(isPutOff: choice & 1 == 1)))
        case "e": return response(to: request, nil, .noContent)
        case "m": return response(to: request, nil, .notModified)
        case "c":
            var response = response(to: request, contents.small)
            response.closesConnection = true
            return response
        default: return response(to: request, contents.small)
        }
    }

    private func response(to request: PlayedRequest, _ content: ResponseContent?, _ status: Status = .ok) -> Response {
        var fields = FieldLines()
        fields.append("X-Number", request.number)
        if request.isHead { fields.append("X-Head", 1) }
        return Response(status: status, fields: fields, content: content)
    }

    private func makeStream(isPutOff: Bool) -> ContentStream {
        let stream = PlayedStream()
        streams.append(stream)
        unowned let handler = self
        nonisolated(unsafe) let owner = handler  // Streams are asked on the loop's thread, which is the only one.
        return ContentStream(
            pull: { sink in
                if stream.isOver || stream.isAwaited { owner.fault = BrokenInvariant("a stream asked out of turn") }
                stream.isAwaited = true
                if isPutOff && !owner.isEager {
                    owner.debts.append(.piece(stream, sink))
                } else if stream.sentByteCount < 100 {
                    // Few pieces, as each takes a turn of the loop and a script may ask for many streams at once.
                    owner.send(60, to: stream, sink)
                } else {
                    owner.give(0, to: stream, sink)
                }
            },
            onAbandon: {
                stream.abandonCount += 1
                stream.isAwaited = false
            })
    }

    private func give(_ manner: Int, to stream: PlayedStream, _ sink: PieceSink) {
        switch manner & 3 {
        case 0:
            stream.isAwaited = false
            stream.isFinished = true
            sink.finish()
        case 1 where manner & 4 != 0:
            mayBreakOff = true
            stream.isAwaited = false
            stream.isFinished = true
            sink.fail()
        default: send(manner & 4 != 0 ? 9_000 : manner >> 1 & 1, to: stream, sink)
        }
    }

    private func send(_ count: Int, to stream: PlayedStream, _ sink: PieceSink) {
        stream.isAwaited = false
        sink.send(SharedBytes(Array(AnswerReader.content(from: stream.sentByteCount, count: count))))
        stream.sentByteCount += count
    }
}

/// A request that came to the handler. Confined to the thread of the loop.
final class PlayedRequest: @unchecked Sendable {
    let number: Int
    let isHead: Bool
    var isAnswered = false
    var abandonCount = 0

    init(number: Int, isHead: Bool) {
        self.number = number
        self.isHead = isHead
    }
}

/// A streamed content. Confined to the thread of the loop.
final class PlayedStream: @unchecked Sendable {
    var sentByteCount = 0
    var isAwaited = false
    var isFinished = false
    var abandonCount = 0

    var isOver: Bool { isFinished || abandonCount > 0 }
}

/// Contents that all runs share.
struct PlayedContents {
    let small = ResponseContent.bytes(SharedBytes(bytes(5)))
    let large = ResponseContent.bytes(SharedBytes(bytes(20_000)))
    let file: ResponseContent
    let parts: ResponseContent
    /// A file that has fewer bytes than it says.
    let cutFile: ResponseContent

    init() throws(Errno) {
        let bytes = Self.bytes(12_000)
        let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: bytes.count)
        try file.write(bytes, at: 0)
        let memory = SharedBytes(bytes)
        self.file = .file(file)
        self.parts = .parts([.bytes(memory, 0..<300), .file(file, 300..<11_000), .bytes(memory, 11_000..<11_001)])
        self.cutFile = .file(file.resized(to: bytes.count + 1))
    }

    private static func bytes(_ count: Int) -> [UInt8] { Array(AnswerReader.content(from: 0, count: count)) }
}
