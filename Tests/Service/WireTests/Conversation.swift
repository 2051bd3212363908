/// A scripted conversation, one `.wire` file. Lines:
///
/// ```
/// # comment
/// > GET / HTTP/1.1          send this and CR LF
/// >> part                   send this without a line end
/// < 200                     an answer with this status comes; `< 200 to HEAD` has no content
/// <: Content-Length: 5      the last answer has this field with this value; without value: has it
/// <! Vary                   the last answer does not have this field
/// <= text                   the content of the last answer contains this
/// half-close                our side ends
/// kept | closed             the connection can be used again, or the server ends it
/// ```
///
/// In what is sent and in content, `\r \n \t \0 \\ \xHH` are bytes and `\{TEXT*N}` is TEXT N times.
struct Conversation: Sendable, CustomStringConvertible {
    enum Step: Sendable, Equatable {
        case send([UInt8])
        case expect(code: Int, toHead: Bool)
        case field(name: String, value: String?)
        case noField(name: String)
        case content(String)
        case halfClose
        case kept
        case closed
    }

    struct Malformed: Error, CustomStringConvertible {
        let file: String
        let line: Int
        let text: String
        var description: String { "\(file):\(line): not understood: \(text)" }
    }

    let name: String
    let steps: [Step]

    var description: String { name }

    init(name: String, text: String) throws {
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let step = Self.step(line) else { throw Malformed(file: name, line: index + 1, text: String(line)) }
            if case .send(let bytes) = step, case .send(let before)? = steps.last {
                steps[steps.count - 1] = .send(before + bytes)
            } else {
                steps.append(step)
            }
        }
        guard steps.last == .kept || steps.last == .closed else {
            throw Malformed(file: name, line: 0, text: "it must end in kept or closed")
        }
        self.name = name
        self.steps = steps
    }

    private static func step(_ line: Substring) -> Step? {
        switch line {
        case "half-close": return .halfClose
        case "kept": return .kept
        case "closed": return .closed
        case ">": return .send([0x0d, 0x0a])
        default: break
        }
        guard let space = line.firstIndex(of: " ") else { return nil }
        let rest = line[line.index(after: space)...]
        switch line[..<space] {
        case ">": return bytes(rest).map { .send($0 + [0x0d, 0x0a]) }
        case ">>": return bytes(rest).map { .send($0) }
        case "<":
            let words = rest.split(separator: " ")
            guard let code = words.first.flatMap({ Int($0) }) else { return nil }
            guard words.count == 1 || words.dropFirst() == ["to", "HEAD"] else { return nil }
            return .expect(code: code, toHead: words.count > 1)
        case "<:":
            guard let colon = rest.firstIndex(of: ":") else { return .field(name: String(rest), value: nil) }
            let value = rest[rest.index(after: colon)...].drop { $0 == " " }
            return .field(name: String(rest[..<colon]), value: String(value))
        case "<!": return .noField(name: String(rest))
        case "<=": return bytes(rest).map { .content(String(decoding: $0, as: UTF8.self)) }
        default: return nil
        }
    }

    /// Takes the escapes off; nil when one is not known.
    static func bytes(_ text: Substring) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "r"): result.append(0x0d)
            case UInt8(ascii: "n"): result.append(0x0a)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "0"): result.append(0)
            case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
                result.append(value)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")),
                    let star = rest[..<end].lastIndex(of: UInt8(ascii: "*")),
                    let count = Int(String(decoding: rest[(star + 1)..<end], as: UTF8.self)),
                    let piece = bytes(Substring(decoding: rest[..<star], as: UTF8.self))
                else { return nil }
                for _ in 0..<count { result += piece }
                rest = rest[(end + 1)...]
            default: return nil
            }
        }
        return result
    }
}
