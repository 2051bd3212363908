import HTTPMessage
package import ImagePlan
import JSON
import MapGrammar
import Parameters

/// What can be said of a URL without a server and without the original, for `veduta url explain`.
package enum URLExplanation {
    /// The original that a plan is made for.
    package struct Original: Sendable {
        package let header: ImageHeader

        /// Reads `4000x3000`, or `4000x3000.png`; JPEG unless said.
        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
            let name = parts.count > 1 ? String(parts[1]) : "jpeg"
            guard parts.count <= 2, sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
                let format = SourceFormat(rawValue: name == "jpg" ? "jpeg" : name), width > 0, height > 0
            else { return nil }
            header = ImageHeader(format: format, widthPx: width, heightPx: height)
        }
    }

    /// Those members of the answer to `explain=1` that need no original, as a line of JSON; with an `original` also the plan and its
    /// predicted cost. Of a map the size of its image; of a card the canonical form alone.
    package static func text(_ url: WrittenURL, accept: String, original: Original?) throws(PlanError) -> String {
        switch url.kind {
        case .asset:
            // What stands beside a preset may be no request without it.
            guard var request = try? ImageRequest.parse(url.items.filter { $0.name != "preset" }) else {
                return JSONText.line { $0.member("canonical", url.canonical) }
            }
            request.isExplained = false
            request.spellIDs(OriginURL.oneSpelling)
            return try image(request, of: url, accept: accept, original: original)
        case .avatar, .poll, .pollDescription: return JSONText.line { $0.member("canonical", url.canonical) }
        case .map, .mapDescription:
            return JSONText.line { json in
                json.member("canonical", url.canonical)
                guard let request = url.mapRequest else { return }
                json.object("result") { json in
                    json.member("width", request.scale.multiplied(by: request.widthPx))
                    json.member("height", request.scale.multiplied(by: request.heightPx))
                }
                json.member("overlays", request.overlays.count)
                if url.kind == .map { json.member("format", request.chosenFormat(accept).rawValue) }
            }
        }
    }

    /// Why there is no plan.
    package static func words(_ error: PlanError) -> String { Problem(error).detail }

    private static func image(
        _ request: ImageRequest, of url: WrittenURL, accept: String, original: Original?
    ) throws(PlanError) -> String {
        let field = AcceptField.of(accept)
        let acceptance = Acceptance { format in
            AcceptedQuality(
                quality: field.quality(of: format.mediaType), isExplicit: field.isExplicit(format.mediaType))
        }
        let hasPreset = url.items.contains { $0.name == "preset" }
        var found: (plan: ImagePlan, questions: [PixelQuery])?
        if let original { found = try plan(request, original.header, acceptance) }
        return JSONText.line { json in
            json.member("canonical", hasPreset ? url.canonical : request.canonical)
            json.member("accepts", request.format?.rawValue ?? acceptance.text)
            guard let original, let found else { return }
            json.object("plan") { json in
                ExplanationJSON.write(found.plan, into: &json)
                json.array("questions", of: found.questions) { $0.string(PlanText.text($1)) }
            }
            json.object("predicted") { ExplanationJSON.write(found.plan.predictedCost(original.header), into: &$0) }
            json.object("result") { json in
                json.member("width", found.plan.outputWidthPx)
                json.member("height", found.plan.outputHeightPx)
            }
        }
    }

    /// The plan when all questions about pixels get no answer, and these questions.
    private static func plan(
        _ request: ImageRequest, _ header: ImageHeader, _ acceptance: Acceptance
    ) throws(PlanError) -> (plan: ImagePlan, questions: [PixelQuery]) {
        var answers: AnalysisResults = [:]
        var questions: [PixelQuery] = []
        while true {
            switch try request.planning(for: header, accepting: acceptance, analysis: answers) {
            case .plan(let plan): return (plan, questions)
            case .ask(let question):
                answers[question] = .nothing
                questions.append(question)
            }
        }
    }
}

extension AcceptField {
    fileprivate static func of(_ text: String) -> AcceptField {
        var parser = RequestHeadParser()
        let bytes = Array("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: \(text)\r\n\r\n".utf8)
        guard case .complete(let head, _) = parser.parse(bytes.span.bytes) else { return .of("*/*") }
        return .parse(head.fields)
    }
}

extension WrittenURL {
    fileprivate var mapRequest: MapRequest? {
        try? MapRequest.parse(
            items, for: kind == .map ? .picture : .positions, rules: MapRequest.anyRules(naming: items))
    }
}

extension MapRequest {
    fileprivate func chosenFormat(_ accept: String) -> OutputFormat {
        let field = AcceptField.of(accept)
        return encoding.outputFormat(
            accepting: { field.quality(of: $0.mediaType) }, named: { field.isExplicit($0.mediaType) })
    }
}
