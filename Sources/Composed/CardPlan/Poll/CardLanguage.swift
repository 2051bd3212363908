import CardGrammar

extension CardLanguage {
    var isRightToLeft: Bool { self == .ar }

    /// The plural category of a whole number (Unicode CLDR).
    private func form(_ count: Int) -> Int {
        let (ones, tens) = (count % 10, count % 100)
        switch self {
        case .en, .de, .es, .it: return count == 1 ? 0 : 1
        case .fr, .pt, .hi: return count <= 1 ? 0 : 1
        case .pl:
            if count == 1 { return 0 }
            return (2...4).contains(ones) && !(12...14).contains(tens) ? 1 : 2
        case .ru:
            if ones == 1, tens != 11 { return 0 }
            return (2...4).contains(ones) && !(12...14).contains(tens) ? 1 : 2
        case .ar:
            if count <= 2 { return count }
            return (3...10).contains(tens) ? 3 : (11...99).contains(tens) ? 4 : 5
        case .ja, .zh: return 0
        }
    }

    func votes(_ count: Int) -> String { filled(words.votes[min(form(count), words.votes.count - 1)], grouped(count)) }
    func voters(_ count: Int) -> String {
        filled(words.voters[min(form(count), words.voters.count - 1)], grouped(count))
    }
    var closed: String { words.closed }
    var anonymous: String { words.anonymous }
    func closes(at time: String) -> String { filled(words.closes, Self.isolated(time)) }
    func closes(in time: String) -> String { filled(words.closesIn, Self.isolated(time)) }

    /// From left to right, whatever is around it (UAX 9, LRI and PDI).
    private static func isolated(_ text: String) -> String { "\u{2066}\(text)\u{2069}" }

    private func filled(_ pattern: String, _ text: String) -> String { pattern.replacing("{}", with: text) }

    /// Digits in groups, as the language writes them.
    func grouped(_ count: Int) -> String {
        let digits = Array(String(count))
        let separator: String
        switch self {
        case .en, .ar, .hi, .ja, .zh: separator = ","
        case .de, .it, .pt: separator = "."
        case .es: separator = digits.count > 4 ? "." : ""
        case .fr: separator = "\u{202f}"
        case .ru: separator = "\u{a0}"
        case .pl: separator = digits.count > 4 ? "\u{a0}" : ""
        }
        var text = ""
        for (index, digit) in digits.enumerated() {
            let left = digits.count - index
            let isCut = self == .hi ? left == 3 || left > 3 && left % 2 == 1 : left % 3 == 0
            if index > 0, isCut { text += separator }
            text.append(digit)
        }
        return text
    }

    func percent(_ number: Int) -> String {
        switch self {
        case .en, .it, .pt, .pl, .ar, .hi, .ja, .zh: "\(number)%"
        case .de, .fr, .es, .ru: "\(number)\u{a0}%"
        }
    }

    private struct Words {
        /// By plural category.
        var votes, voters: [String]
        var closed, closes, closesIn, anonymous: String
    }

    // swift-format-ignore
    private var words: Words {
        switch self {
        case .en: Words(votes: ["{} vote", "{} votes"], voters: ["{} voter", "{} voters"], closed: "Closed", closes: "Closes {}", closesIn: "Closes in {}", anonymous: "Anonymous")
        case .de: Words(votes: ["{} Stimme", "{} Stimmen"], voters: ["{} Person", "{} Personen"], closed: "Beendet", closes: "Endet am {}", closesIn: "Endet in {}", anonymous: "Anonym")
        case .fr: Words(votes: ["{} vote", "{} votes"], voters: ["{} votant", "{} votants"], closed: "Terminé", closes: "Jusqu’au {}", closesIn: "Encore {}", anonymous: "Anonyme")
        case .es: Words(votes: ["{} voto", "{} votos"], voters: ["{} votante", "{} votantes"], closed: "Cerrada", closes: "Hasta el {}", closesIn: "Cierra en {}", anonymous: "Anónima")
        case .it: Words(votes: ["{} voto", "{} voti"], voters: ["{} votante", "{} votanti"], closed: "Chiuso", closes: "Fino al {}", closesIn: "Ancora {}", anonymous: "Anonimo")
        case .pt: Words(votes: ["{} voto", "{} votos"], voters: ["{} votante", "{} votantes"], closed: "Encerrada", closes: "Até {}", closesIn: "Termina em {}", anonymous: "Anônima")
        case .pl: Words(votes: ["{} głos", "{} głosy", "{} głosów"], voters: ["{} osoba", "{} osoby", "{} osób"], closed: "Zakończona", closes: "Do {}", closesIn: "Jeszcze {}", anonymous: "Anonimowa")
        case .ru: Words(votes: ["{} голос", "{} голоса", "{} голосов"], voters: ["{} участник", "{} участника", "{} участников"], closed: "Завершён", closes: "До {}", closesIn: "Ещё {}", anonymous: "Анонимный")
        case .ar: Words(votes: ["لا أصوات", "صوت واحد", "صوتان", "{} أصوات", "{} صوتًا", "{} صوت"], voters: ["لا مشاركين", "مشارك واحد", "مشاركان", "{} مشاركين", "{} مشاركًا", "{} مشارك"], closed: "مغلق", closes: "حتى {}", closesIn: "متبقٍّ {}", anonymous: "تصويت سري")
        case .hi: Words(votes: ["{} वोट", "{} वोट"], voters: ["{} मतदाता", "{} मतदाता"], closed: "समाप्त", closes: "{} तक", closesIn: "{} शेष", anonymous: "गुमनाम")
        case .ja: Words(votes: ["{}票"], voters: ["{}人"], closed: "終了", closes: "{} まで", closesIn: "残り {}", anonymous: "匿名")
        case .zh: Words(votes: ["{} 票"], voters: ["{} 人"], closed: "已结束", closes: "截止 {}", closesIn: "剩余 {}", anonymous: "匿名")
        }
    }
}
