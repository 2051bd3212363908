import Bytes
import ImagePlan
import JSON
import Renditions

/// A card that was drawn, and what there is to tell of that.
struct DrawnCard {
    /// Of an avatar, in the order of its cells.
    struct Person {
        let name: String?
        let id: String?
        /// The asset that is shown; nil: letters or a pattern stand there.
        let shownID: String?
    }

    let content: RenderedContent
    let size: PixelSize
    /// Of its format.
    let output: String
    /// What was asked for before anything was decoded or drawn.
    let price: PredictedCost
    var people: [Person]?
}

extension Explained {
    init(_ card: DrawnCard) {
        self.init(timings: card.content.timings) { _, json in
            if let people = card.people {
                json.array("people", of: people) { json, person in
                    json.object { json in
                        json.member("name", person.name)
                        json.member("id", person.id)
                        json.member("shown", person.shownID)
                    }
                }
            }
            json.object("predicted") { ExplanationJSON.write(card.price, into: &$0) }
            json.array("steps", of: card.content.timings) { json, step in
                json.object { json in
                    json.member("name", "\(step.name)")
                    json.member("milliseconds", ExplanationJSON.milliseconds(step.duration))
                }
            }
            json.object("format") { $0.member("chosen", card.output) }
            json.object("result") { json in
                json.size(card.size)
                json.member("bytes", card.content.bytes.count)
            }
        }
    }
}
