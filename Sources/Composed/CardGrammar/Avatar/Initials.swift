/// The letters that stand for a name.
enum Initials {
    /// At most `count` graphemes, in the order of the name; empty without letters.
    static func of(_ name: String, _ count: Int) -> String {
        let words = name.split(whereSeparator: \.isWhitespace).compactMap { word -> Substring? in
            let shown = word.drop { !isShown($0) }
            return shown.isEmpty ? nil : shown
        }
        guard let first = words.first?.first, let last = words.last else { return "" }
        if isEmoji(first) { return String(first) }
        // The given name is the last word, or the end of one that has no spaces.
        if isEastAsian(first) { return String(last.suffix(min(2, count))) }
        var chosen = [first]
        if count > 1, words.count > 1, let letter = last.first {
            if count > 2, words.count > 2, let middle = words[1].first { chosen.append(middle) }
            chosen.append(letter)
        }
        return drawn(chosen)
    }

    /// Letters that a request spells: each of them, whatever the script.
    static func spelled(_ letters: String) -> String { drawn(letters.filter(isShown)) }

    private static func drawn(_ letters: some Collection<Character>) -> String {
        let capitals = letters.map { letter in String(letter.uppercased().first ?? letter) }
        // Letters of scripts that join stay apart.
        return capitals.joined(separator: letters.first.map(isJoining) == true ? "\u{200C}" : "")
    }

    /// As ui-avatars has them: of a single word its first letters.
    static func ofWord(_ name: String, _ count: Int, isUpper: Bool) -> String {
        let words = name.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first, let first = word.first, !isEmoji(first), !isEastAsian(first)
        else { return isUpper ? of(name, count) : letters(of: words, count) }
        let letters = String(word.filter(isShown).prefix(count))
        return isUpper ? letters.uppercased() : letters
    }

    /// The first letters of words, as they are written.
    private static func letters(of words: [Substring], _ count: Int) -> String {
        let chosen = words.count > count ? Array(words.prefix(count - 1)) + words.suffix(1) : words
        return String(chosen.compactMap { $0.first(where: isShown) })
    }

    private static func isShown(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || isEmoji(character)
    }

    private static func isEmoji(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.properties.isEmojiPresentation
            || character.unicodeScalars.contains { $0.value == 0xFE0F } && scalar.properties.isEmoji
    }

    private static func isEastAsian(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    private static func isJoining(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x0600...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF, 0x1800...0x18AF, 0x1E900...0x1E95F: true
        default: false
        }
    }
}
