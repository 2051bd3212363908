import CardGrammar
import CardPlan
import JSON
import Renditions

/// Makes what `/poll.json` tells of a poll: where each option is, by the layout that draws it.
struct PollDescriber: RenditionRenderer {
    let data: PollData
    let takesGzip: Bool

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let (request, validator) = try data.read()
        try job.check(request.layoutCost)
        let layout = PollLayout(request, data.cards.typesetter())
        let coded = CodedText(Self.text(request, layout), gzip: takesGzip)
        return RenderedContent(
            coded.content, mediaType: "application/json", fields: coded.codingFields, validator: validator)
    }

    private static func text(_ request: PollRequest, _ layout: PollLayout) -> String {
        let figures = layout.figures
        return JSONText.line { json in
            json.member("width", layout.widthPx)
            json.member("height", layout.heightPx)
            json.member("question", request.question)
            json.member("votes", figures.hasVotes ? figures.voteCount : nil)
            json.array("options", of: request.options.indices) { json, index in
                let (option, box) = (request.options[index], layout.boxes[index])
                json.object { json in
                    json.member("label", option.label)
                    json.member("votes", figures.hasVotes ? option.votes ?? 0 : nil)
                    json.member("percent", figures.percents?[index])
                    json.member("x", box.x)
                    json.member("y", box.y)
                    json.member("width", box.width)
                    json.member("height", box.height)
                }
            }
            json.member("alt", request.alternativeText(figures))
        }
    }
}
