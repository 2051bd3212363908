import Bytes
import HTTPMessage
import ImageEngine
import ImagePlan
import JSON
import Renditions
import ResponseCache

/// What `explain=1` tells, as JSON.
enum ExplanationJSON {
    /// The text, a line.
    static func text(
        _ made: AssetRenderer.Made, _ explanation: Explanation, _ identity: RenditionIdentity, kept: Explanation.Kept
    ) -> String {
        let rendition = explanation.rendition
        let picture = made.picture
        let report = picture.report
        var json = JSONText()
        json.object { json in
            json.member("canonical", rendition.canonical)
            json.member("accepts", rendition.variant)
            json.name("cache")
            json.object { json in
                json.member("key", CacheEntryName(tag: rendition.tag, key: identity.key).description)
                json.member("entityTag", identity.entityTag?.text)
                json.member("kept", kept.rawValue)
                json.member("decision", kept == .no ? "miss" : "hit")
            }
            json.name("source")
            write(report.header, isFallback: identity.isFallback, into: &json)
            json.name("master")
            writeMaster(report, made.masterOrigin, isOn: explanation.renderer.masters != nil, into: &json)
            json.name("plan")
            write(report.plan, report, into: &json)
            json.name("predicted")
            write(report.cost, into: &json)
            json.name("steps")
            json.array { json in
                for step in report.steps { write(step, into: &json) }
            }
            json.name("format")
            writeChoice(picture, into: &json)
            json.name("result")
            writeResult(picture, into: &json)
        }
        return json.text + "\n"
    }

    private static func write(_ header: ImageHeader, isFallback: Bool, into json: inout JSONText) {
        json.object { json in
            json.member("format", header.format.rawValue)
            json.member("width", header.widthPx)
            json.member("height", header.heightPx)
            json.member("orientation", header.orientation)
            json.member("hasAlpha", header.hasAlpha)
            json.member("pages", header.pageCount)
            json.member("isAnimated", header.isAnimated)
            json.member("bitDepth", header.bitDepth)
            json.member("isFlat", header.isFlat)
            json.member("isDefault", isFallback)
        }
    }

    /// What a reduced master had to do with it, and the size of the level that the picture was made from.
    private static func writeMaster(
        _ report: RenderReport, _ origin: AssetRenderer.MasterOrigin?, isOn: Bool, into json: inout JSONText
    ) {
        json.object { json in
            json.member("isOn", isOn)
            json.member("isWorthwhile", report.isWorthMaster)
            json.member("isUsed", report.level != nil)
            json.member("origin", report.level == nil ? nil : origin?.rawValue)
            json.member("width", report.level?.widthPx)
            json.member("height", report.level?.heightPx)
            json.member("bytes", report.levelByteCount)
        }
    }

    private static func write(_ plan: ImagePlan, _ report: RenderReport, into json: inout JSONText) {
        json.object { json in
            json.member("loadShrink", report.loadShrink)
            json.name("cropBox")
            let box = cropBox(plan)
            json.object { json in
                json.member("x", box.x)
                json.member("y", box.y)
                json.member("width", box.widthPx)
                json.member("height", box.heightPx)
            }
            json.name("steps")
            json.array { json in
                for step in plan.steps { json.string(PlanText.text(step)) }
            }
            switch plan.pages {
            case .one(let index): json.member("page", index + 1)
            case .first(let count): json.member("pages", count)
            }
            json.member("omitted", plan.omission?.rawValue)
            json.name("candidates")
            json.array { json in
                for format in plan.encoding.formats { json.string(format.rawValue) }
            }
            json.name("findings")
            json.array { json in
                for text in report.analysis.map({ PlanText.text($0.key, $0.value) }).sorted() { json.string(text) }
            }
        }
    }

    /// The part of the stored picture that is seen in the end, in its pixels: what is extracted, less what is cut off after
    /// resizing.
    private static func cropBox(_ plan: ImagePlan) -> PixelRect {
        let extract = plan.extract
        guard let window = plan.steps.lazy.compactMap({ if case .crop(let rect) = $0 { rect } else { nil } }).first
        else {
            return extract
        }
        func place(_ offset: Int, _ scale: Double) -> Int { Int((Double(offset) / max(scale, 1e-9)).rounded()) }
        let left = place(window.x, plan.horizontalScale)
        let top = place(window.y, plan.verticalScale)
        return PixelRect(
            x: extract.x + left, y: extract.y + top,
            widthPx: max(1, place(window.x + window.widthPx, plan.horizontalScale) - left),
            heightPx: max(1, place(window.y + window.heightPx, plan.verticalScale) - top))
    }

    private static func write(_ cost: PredictedCost, into json: inout JSONText) {
        json.object { json in
            json.member("milliseconds", Double(cost.microseconds) / 1000)
            json.member("bytes", cost.byteCount)
            json.member("isLong", cost.isLong)
            json.name("steps")
            json.array { json in
                for step in cost.steps {
                    json.object { json in
                        json.member("name", step.name)
                        json.member("milliseconds", Double(step.microseconds) / 1000)
                        json.member("bytes", step.byteCount)
                    }
                }
            }
        }
    }

    private static func write(_ step: StepReport, into json: inout JSONText) {
        json.object { json in
            json.member("name", step.name)
            json.member("width", step.widthPx)
            json.member("height", step.heightPx)
            json.member("milliseconds", milliseconds(step.duration))
            json.member("bytes", step.byteCount)
        }
    }

    private static func writeChoice(_ picture: RenderedImage, into json: inout JSONText) {
        json.object { json in
            json.member("chosen", picture.format.rawValue)
            json.member("reason", picture.report.formatReason)
            json.member("quality", picture.quality)
            json.member("score", picture.score)
            json.name("trials")
            json.array { json in
                for trial in picture.report.trials {
                    json.object { json in
                        json.member("format", trial.format.rawValue)
                        json.member("quality", trial.quality)
                        json.member("bytes", trial.byteCount)
                        json.member("score", trial.score)
                    }
                }
            }
        }
    }

    private static func writeResult(_ picture: RenderedImage, into json: inout JSONText) {
        json.object { json in
            json.member("width", picture.widthPx)
            json.member("height", picture.heightPx)
            json.member("frames", picture.frameCount)
            json.member("bytes", picture.content.count)
            json.member("isOriginal", picture.isOriginal)
            json.member("openMilliseconds", milliseconds(picture.openDuration))
            json.member("decodeMilliseconds", milliseconds(picture.decodeDuration))
            json.member("encodeMilliseconds", milliseconds(picture.encodeDuration))
        }
    }

    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}

/// Steps, questions and answers as people read them.
enum PlanText {
    static func text(_ step: ImageStep) -> String {
        switch step {
        case .extract(let rect): "extract \(text(rect))"
        case .resize(let size): "resize \(text(size))"
        case .crop(let rect): "crop \(text(rect))"
        case .orient(let orientation):
            "orient \(orientation.isMirrored ? "mirrored, " : "")\(90 * orientation.quarterTurns)°"
        case .pad(let canvas, let x, let y, _): "pad to \(text(canvas)) at \(x),\(y)"
        case .rotate(let degrees, let canvas, _): "rotate \(degrees)° to \(text(canvas))"
        case .filter(let filter): "filter \(filter)"
        case .overlay(let overlay): "overlay \(overlay.id)"
        case .mask(.rounded(let radius)): "mask with corners of \(radius) px"
        case .mask(.ellipse): "mask with an ellipse"
        case .mask(.circle): "mask with a circle"
        case .flatten: "flatten"
        }
    }

    static func text(_ question: PixelQuery, _ answer: PixelQueryResult) -> String {
        let asked =
            switch question {
            case .trim(let tolerance, _): "trim \(tolerance)"
            case .focus(let interest, let region, let keeping):
                "\(interest.rawValue) in \(text(region)) for \(text(keeping))"
            }
        switch answer {
        case .region(let rect): return "\(asked): \(text(rect))"
        case .point(let x, let y):
            return "\(asked): \(ImageFields.decimal(x * 100)) % across, \(ImageFields.decimal(y * 100)) % down"
        case .nothing: return "\(asked): nothing"
        }
    }

    private static func text(_ rect: PixelRect) -> String { "\(rect.widthPx)×\(rect.heightPx)+\(rect.x)+\(rect.y)" }
    private static func text(_ size: PixelSize) -> String { "\(size.widthPx)×\(size.heightPx)" }
}
