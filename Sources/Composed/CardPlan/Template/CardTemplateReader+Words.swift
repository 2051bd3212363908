import JSON
import Parameters

// Texts, and the fields within them.
extension CardTemplateReader {
    static let wordsMembers = [
        "text", "join", "size", "weight", "color", "lines", "lineHeight", "align", "gravity", "uppercase",
    ]

    func words(_ members: inout MemberReader) -> CardWords? {
        let texts = members.object["text"]?.text.map { [$0] } ?? members.texts("text", limit: 8)
        if !members.has("text") { members.fail("text", "a text, or an array of texts to join, is expected") }
        let pieces = texts.compactMap { self.pieces($0, &members) }
        let sizes = self.sizes(&members)
        var words = CardWords(pieces: pieces, sizes: sizes ?? 32...32)
        if let joint = members.text("join") {
            words.joint = joint
            if joint.count > 16 { members.fail("join", "at most 16 characters are expected") }
        }
        words.isBold = members.word("weight", ["regular", "bold"]) == "bold"
        if let color = color("color", &members) { words.color = color }
        words.lineLimit = members.integer("lines", in: 1...20) ?? 1
        words.lineHeight = number("lineHeight", 0.8...3, &members) ?? words.lineHeight
        words.alignment =
            members.word("align", CardWords.Alignment.allCases.map(\.rawValue)).flatMap(CardWords.Alignment.init)
            ?? .start
        words.gravity = gravity(&members)
        words.isUppercase = flag("uppercase", &members) ?? false
        return pieces.count == texts.count && !pieces.isEmpty && sizes != nil ? words : nil
    }

    /// A number, or the smallest and the largest.
    private func sizes(_ members: inout MemberReader) -> ClosedRange<Double>? {
        let numbers =
            members.object["size"].map { $0.number.map { [$0] } ?? $0.elements?.compactMap(\.number) ?? [] } ?? []
        guard (1...2).contains(numbers.count), numbers.allSatisfy(CardTemplate.fontSizes.contains),
            numbers[0] <= numbers[numbers.count - 1]
        else {
            members.fail(
                "size", "a number of pixels from 4 to 400 is expected, or the smallest and the largest such as [32, 64]"
            )
            return nil
        }
        return numbers[0]...numbers[numbers.count - 1]
    }

    /// Words and `{field}`; `{{` is a brace.
    private func pieces(_ text: String, _ members: inout MemberReader) -> [CardWords.Part]? {
        guard text.utf8.count <= 4096 else {
            members.fail("text", "at most 4096 bytes are expected")
            return nil
        }
        var parts: [CardWords.Part] = []
        var (words, rest) = ("", Substring(text))
        while let character = rest.popFirst() {
            guard character == "{" else {
                words.append(character)
                continue
            }
            if rest.first == "{" {
                rest.removeFirst()
                words.append("{")
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                members.fail("text", "a '{' is not closed; '{{' is a brace")
                return nil
            }
            guard let name = check(String(rest[..<end]), of: [], "text", &members) else { return nil }
            rest = rest[rest.index(after: end)...]
            if !words.isEmpty { parts.append(.words(words)) }
            words = ""
            parts.append(.field(name))
        }
        return parts + (words.isEmpty ? [] : [.words(words)])
    }
}
