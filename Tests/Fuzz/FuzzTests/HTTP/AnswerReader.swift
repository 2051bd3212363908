// Written from RFC 9112 §4, §6 and §7 without a look at how the server writes, so that the two can disagree.

/// Reads what a server sends as a series of answers and finds fault with all that is none.
struct AnswerReader {
    private enum State {
        case head
        case content(left: Int)
        case chunkSize, chunk(left: Int), chunkEnd, trailers
        case untilClose
        /// The answer to a request of unknown method: its content follows, or not, as to HEAD.
        case perhapsRefusal
    }

    /// What the content of every refusal is.
    static let refusal = Array("zrefused".utf8)
    /// The field that has the number of the request that is answered.
    static let numberField = "x-number"
    /// The field of answers to HEAD.
    static let headField = "x-head"

    private var state = State.head
    private var pending: [UInt8] = []
    private var contentIndex = 0
    private var lastNumber = 0
    private(set) var finalCount = 0
    private(set) var interimCount = 0
    /// The last answer said `Connection: close`, or its end is that of the connection.
    private(set) var isLast = false

    /// Whether no answer is half read. Content up to the connection's end is whole only then.
    var isBetweenAnswers: Bool {
        switch state {
        case .head: pending.isEmpty
        case .perhapsRefusal, .untilClose: true
        default: false
        }
    }

    /// `count` bytes of every content that the handler sends, from the one at `start` on; `count` is below 32,768.
    static func content(from start: Int, count: Int) -> ArraySlice<UInt8> {
        let first = start % 23
        return pattern[first..<(first + count)]
    }

    private static let pattern = (0..<32_800).map { UInt8(ascii: "a") + UInt8($0 % 23) }

    mutating func read(_ bytes: ArraySlice<UInt8>) throws(BrokenInvariant) {
        pending += bytes
        var start = 0
        while start < pending.count, let end = try step(from: start) { start = end }
        pending.removeFirst(start)
    }

    /// Reads one line, head or piece of content from `start`; nil when it is not complete.
    private mutating func step(from start: Int) throws(BrokenInvariant) -> Int? {
        switch state {
        case .head:
            try BrokenInvariant.require(!isLast, "bytes after the last answer")
            guard let end = endOfHead(from: start) else {
                try BrokenInvariant.require(pending.count - start < 4096, "a head without end")
                return nil
            }
            try beginAnswer(try AnswerHead(pending[start..<end]))
            return end
        case .content(let left):
            let end = min(pending.count, start + left)
            try takeContent(pending[start..<end])
            state = left == end - start ? .head : .content(left: left - (end - start))
            return end
        case .chunk(let left):
            let end = min(pending.count, start + left)
            try takeContent(pending[start..<end])
            state = left == end - start ? .chunkEnd : .chunk(left: left - (end - start))
            return end
        case .untilClose:
            try takeContent(pending[start...])
            return pending.count
        case .perhapsRefusal:
            let isContent = pending[start] == Self.refusal.first
            state = isContent ? .content(left: Self.refusal.count) : .head
            return start
        case .chunkSize, .chunkEnd, .trailers: return try readChunkLine(from: start)
        }
    }

    private mutating func readChunkLine(from start: Int) throws(BrokenInvariant) -> Int? {
        guard let end = endOfLine(from: start) else {
            try BrokenInvariant.require(pending.count - start < 64, "a chunk line without end")
            return nil
        }
        let line = String(decoding: pending[start..<(end - 2)], as: UTF8.self)
        switch state {
        case .chunkSize:
            guard let size = Int(line, radix: 16), size >= 0 else { throw BrokenInvariant("a chunk size of \(line)") }
            state = size == 0 ? .trailers : .chunk(left: size)
        case .chunkEnd:
            try BrokenInvariant.require(line.isEmpty, "a chunk ends in \(line)")
            state = .chunkSize
        default:
            try BrokenInvariant.require(line.isEmpty, "a trailer \(line)")
            state = .head
        }
        return end
    }

    private mutating func beginAnswer(_ head: AnswerHead) throws(BrokenInvariant) {
        guard head.code >= 200 else {
            interimCount += 1
            return
        }
        finalCount += 1
        contentIndex = 0
        isLast = head.fields["connection"] == "close"
        if let number = head.fields[Self.numberField].flatMap({ Int($0) }) {
            try BrokenInvariant.require(number > lastNumber, "answer \(number) after \(lastNumber)")
            lastNumber = number
        }
        let length = head.fields["content-length"].flatMap { Int($0) }
        if head.code == 204 || head.code == 304 || head.fields[Self.headField] != nil {
            state = .head
        } else if head.fields["transfer-encoding"] != nil {
            state = .chunkSize
        } else if head.fields[Self.numberField] == nil {
            try BrokenInvariant.require(length == Self.refusal.count, "a refusal of \(length ?? -1)")
            state = .perhapsRefusal
            contentIndex = -1
        } else if let length {
            state = length == 0 ? .head : .content(left: length)
        } else {
            try BrokenInvariant.require(isLast, "neither a length nor an end")
            state = .untilClose
        }
    }

    private mutating func takeContent(_ bytes: ArraySlice<UInt8>) throws(BrokenInvariant) {
        guard contentIndex >= 0 else { return }
        try BrokenInvariant.require(
            bytes == Self.content(from: contentIndex, count: bytes.count), "another content from \(contentIndex)")
        contentIndex += bytes.count
    }

    private func endOfLine(from start: Int) -> Int? {
        guard let end = pending[start...].firstIndex(of: 0x0a) else { return nil }
        return end > start && pending[end - 1] == 0x0d ? end + 1 : nil
    }

    private func endOfHead(from start: Int) -> Int? {
        var index = start
        while let end = endOfLine(from: index) {
            if end == index + 2 { return end }
            index = end
        }
        return nil
    }
}

/// The head of one answer.
struct AnswerHead {
    let code: Int
    /// Values by names in lower case.
    let fields: [String: String]

    init(_ bytes: ArraySlice<UInt8>) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(separator: "\r\n").map(String.init)[...]
        let status = lines.popFirst() ?? ""
        let words = status.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3, let code = Int(words[1]),
            (100...599).contains(code)
        else { throw BrokenInvariant("a status line of \(status)") }
        var fields: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
                line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
            else { throw BrokenInvariant("a field line of \(line)") }
            let old = fields.updateValue(parts[1].drop { $0 == " " }.description, forKey: parts[0].lowercased())
            try BrokenInvariant.require(old == nil, "twice: \(line)")
        }
        let hasLength = fields["content-length"] != nil
        let hasCoding = fields["transfer-encoding"] != nil
        try BrokenInvariant.require(!(hasLength && hasCoding), "both framing fields: \(text)")
        if code < 200 || code == 204 {
            try BrokenInvariant.require(!hasLength && !hasCoding, "framing fields with \(code)")
        }
        if code >= 200 {
            try BrokenInvariant.require(fields["date"] != nil && fields["x-request-id"] != nil, "Date or id: \(text)")
        }
        self.code = code
        self.fields = fields
    }
}
