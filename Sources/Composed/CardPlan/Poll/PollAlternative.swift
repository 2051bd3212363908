package import CardGrammar

extension PollRequest {
    /// What the picture tells, as a sentence for readers that do not see it.
    package func alternativeText(_ figures: PollFigures) -> String {
        let language = language ?? .en
        var sentences = [question].compactMap(\.self)
        for index in figures.order {
            let option = options[index]
            var figuresText: [String] = []
            if let percents = figures.percents { figuresText.append(language.percent(percents[index])) }
            if figures.hasVotes { figuresText.append(language.votes(option.votes ?? 0)) }
            sentences.append(
                figuresText.isEmpty ? option.label : "\(option.label): \(figuresText.joined(separator: ", "))")
        }
        if figures.hasVotes { sentences.append(voters.map(language.voters) ?? language.votes(figures.voteCount)) }
        if isClosed { sentences.append(language.closed) }
        return sentences.map { ".?!…。？！".contains($0.last ?? " ") ? $0 : $0 + "." }.joined(separator: " ")
    }
}
