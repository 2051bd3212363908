import Bytes
import Colors
import HTTPMessage
import ImageEngine
import ImagePlan
import JSON
import Parameters
import Renditions
import ResponseCache

// What is told of images, as JSON: the answers of `/assets/{id}` and `format=json` and to `explain=1`.

/// What is known of an asset.
enum DescriptionJSON {
    /// The text for the asset `id`, for which somebody may have stored a focal point, a line.
    static func text(_ description: ImageDescription, id: String, _ stored: FocalPoint? = nil) -> String {
        let header = description.header
        return JSONText.line { json in
            json.member("id", id)
            json.member("format", header.format.rawValue)
            json.member("bytes", description.byteCount)
            json.size(description.size)
            json.object("stored") { json in
                json.size(PixelSize(widthPx: header.widthPx, heightPx: header.heightPx))
                json.member("orientation", header.orientation)
            }
            if header.format.isDrawing {
                json.object("points") { $0.size(description.size) }
            } else {
                json.name("points")
                json.null()
            }
            json.member("pages", header.pageCount)
            json.name("animation")
            write(description.animation, into: &json)
            json.member("bands", description.bandCount)
            json.member("bitDepth", header.bitDepth)
            json.member("hasAlpha", header.hasAlpha)
            json.member("profile", description.profileName)
            json.name("exif")
            write(description.exif, into: &json)
            json.member("dominantColor", description.dominantColor?.canonical)
            json.array("palette", of: description.palette) { json, color in
                json.object { json in
                    json.member("color", color.color.canonical)
                    json.member("share", color.share)
                }
            }
            json.member("thumbHash", description.thumbHashText)
            json.member("blurHash", description.blurHash)
            json.object("focalPoint") { json in
                json.member("x", stored?.x.double ?? description.focalPoint.x, places: 6)
                json.member("y", stored?.y.double ?? description.focalPoint.y, places: 6)
                json.member("isStored", stored != nil)
            }
        }
    }

    private static func write(_ animation: AnimationTiming?, into json: inout JSONText) {
        guard let animation else { return json.null() }
        json.object { json in
            json.array("delaysMs", of: animation.delaysMs) { $0.number($1) }
            json.member("durationMs", animation.durationMs)
            json.member("loops", animation.loopCount)
        }
    }

    private static func write(_ exif: ExifSummary?, into json: inout JSONText) {
        guard let exif else { return json.null() }
        json.object { json in
            json.member("cameraMaker", exif.cameraMaker)
            json.member("cameraModel", exif.cameraModel)
            json.member("lensMaker", exif.lensMaker)
            json.member("lensModel", exif.lensModel)
            json.member("takenAt", exif.takenAt)
            json.member("exposureSeconds", exif.exposureSeconds, places: 9)
            json.member("fNumber", exif.fNumber)
            json.member("isoSpeed", exif.isoSpeed)
            json.member("exposureBiasEV", exif.exposureBiasEV)
            json.member("focalLengthMm", exif.focalLengthMm)
            json.member("focalLength35Mm", exif.focalLength35Mm)
            json.member("flashFired", exif.flashFired)
            json.member("hasLocation", exif.hasLocation)
        }
    }
}

enum ExplanationJSON {
    /// The text, a line.
    static func text(
        _ explained: Explained, _ rendition: Rendition, _ identity: RenditionIdentity, kept: Explanation.Kept
    ) -> String {
        JSONText.line { json in
            json.member("canonical", rendition.canonical)
            json.member("accepts", String(rendition.variant.prefix { $0 != " " }))
            json.object("cache") { json in
                json.member("key", CacheEntryName(tag: rendition.tag, key: identity.key).description)
                json.member("entityTag", identity.entityTag?.text)
                json.member("kept", kept.rawValue)
                json.member("decision", kept == .no ? "miss" : "hit")
            }
            explained.write(identity.isFallback, &json)
        }
    }

    static func write(_ made: AssetRenderer.Made, isMasterOn: Bool, isFallback: Bool, into json: inout JSONText) {
        let report = made.picture.report
        json.object("source") { write(report.header, isFallback: isFallback, into: &$0) }
        json.object("master") { writeMaster(report, made.masterOrigin, isOn: isMasterOn, into: &$0) }
        json.object("regionCopy") { writeRegion(report, into: &$0) }
        writeWork(made.picture, into: &json)
    }

    /// What was done, from the plan to the result.
    static func writeWork(_ picture: RenderedImage, into json: inout JSONText) {
        let report = picture.report
        json.object("plan") { json in
            json.member("loadShrink", report.loadShrink)
            write(report.plan, into: &json)
            let findings = report.analysis.map { PlanText.text($0.key, $0.value) }
            json.array("findings", of: findings.sorted()) { $0.string($1) }
        }
        json.object("predicted") { write(report.cost, into: &$0) }
        json.array("steps", of: report.steps) { json, step in
            json.object { json in
                json.member("name", step.name)
                json.size(step.size)
                json.member("milliseconds", milliseconds(step.duration))
                json.member("bytes", step.byteCount)
            }
        }
        json.object("format") { writeChoice(picture, into: &$0) }
        json.name("gainMap")
        write(report.gainMap, of: report.header.gainMap, into: &json)
        json.object("result") { writeResult(picture, into: &$0) }
    }

    private static func write(_ header: ImageHeader, isFallback: Bool, into json: inout JSONText) {
        json.member("format", header.format.rawValue)
        json.size(PixelSize(widthPx: header.widthPx, heightPx: header.heightPx))
        json.member("orientation", header.orientation)
        json.member("hasAlpha", header.hasAlpha)
        json.member("pages", header.pageCount)
        json.member("isAnimated", header.isAnimated)
        json.member("bitDepth", header.bitDepth)
        json.member("isFlat", header.isFlat)
        json.member("isDefault", isFallback)
    }

    /// What a reduced master was used for, and the size of the level that the image was made from.
    private static func writeMaster(
        _ report: RenderReport, _ origin: AssetRenderer.MasterOrigin?, isOn: Bool, into json: inout JSONText
    ) {
        json.member("isOn", isOn)
        json.member("isWorthwhile", report.isWorthMaster)
        json.member("isUsed", report.level != nil)
        json.member("origin", report.level == nil ? nil : origin?.rawValue)
        json.member("width", report.level?.widthPx)
        json.member("height", report.level?.heightPx)
        json.member("bytes", report.levelByteCount)
    }

    /// The part of the original that was decoded, where its region copy was used.
    private static func writeRegion(_ report: RenderReport, into json: inout JSONText) {
        json.member("isUsed", report.part != nil)
        json.member("usesSamples", report.usesSamples)
        json.member("width", report.part?.widthPx)
        json.member("height", report.part?.heightPx)
    }

    static func write(_ plan: ImagePlan, into json: inout JSONText) {
        let box = cropBox(plan)
        json.object("cropBox") { json in
            json.member("x", box.x)
            json.member("y", box.y)
            json.size(PixelSize(widthPx: box.widthPx, heightPx: box.heightPx))
        }
        json.array("steps", of: plan.steps) { $0.string(PlanText.text($1)) }
        switch plan.pages {
        case .one(let index): json.member("page", index + 1)
        case .first(let count): json.member("pages", count)
        }
        json.member("omitted", plan.omission?.rawValue)
        json.array("candidates", of: plan.encoding.formats) { $0.string($1.rawValue) }
    }

    /// The part of the stored image that is seen in the end, in its pixels: what is extracted, less what is cut off after
    /// resizing.
    private static func cropBox(_ plan: ImagePlan) -> PixelRect {
        let extract = plan.extract
        guard let window = plan.steps.lazy.compactMap({ if case .crop(let rect) = $0 { rect } else { nil } }).first
        else { return extract }
        // A report may be of a process that lies.
        let longest = 1 << 50
        func place(_ offset: Int, _ scale: Double) -> Int {
            Int(held: (Double(offset) / max(scale, 1e-9)).rounded(), in: -longest...longest)
        }
        let left = place(window.x, plan.horizontalScale)
        let top = place(window.y, plan.verticalScale)
        return PixelRect(
            x: extract.x + left, y: extract.y + top,
            widthPx: max(1, place(window.x + window.widthPx, plan.horizontalScale) - left),
            heightPx: max(1, place(window.y + window.heightPx, plan.verticalScale) - top))
    }

    static func write(_ cost: PredictedCost, into json: inout JSONText) {
        json.member("milliseconds", Double(cost.microseconds) / 1000)
        json.member("bytes", cost.byteCount)
        json.member("isLong", cost.isLong)
        json.array("steps", of: cost.steps) { json, step in
            json.object { json in
                json.member("name", step.name)
                json.member("milliseconds", Double(step.microseconds) / 1000)
                json.member("bytes", step.byteCount)
            }
        }
    }

    private static func writeChoice(_ picture: RenderedImage, into json: inout JSONText) {
        json.member("chosen", picture.format.rawValue)
        json.member("reason", picture.report.formatReason)
        json.member("quality", picture.quality)
        json.member("score", picture.score)
        json.array("trials", of: picture.report.trials) { json, trial in
            json.object { json in
                json.member("format", trial.format.rawValue)
                json.member("quality", trial.quality)
                json.member("bytes", trial.byteCount)
                json.member("score", trial.score)
            }
        }
    }

    /// Null for a source without a gain map.
    private static func write(_ report: GainMapReport?, of header: GainMapHeader?, into json: inout JSONText) {
        guard let report, let header else { return json.null() }
        json.object { json in
            json.object("source") { json in
                json.size(header.size)
                json.member("isColor", header.isColor)
            }
            json.member("isKept", report.omission == nil)
            json.member("reason", report.omission?.rawValue)
            json.member("width", report.size?.widthPx)
            json.member("height", report.size?.heightPx)
            json.member("bytes", report.byteCount)
        }
    }

    private static func writeResult(_ picture: RenderedImage, into json: inout JSONText) {
        json.size(PixelSize(widthPx: picture.widthPx, heightPx: picture.heightPx))
        json.member("frames", picture.frameCount)
        json.member("bytes", picture.content.count)
        json.member("isOriginal", picture.isOriginal)
        json.member("openMilliseconds", milliseconds(picture.openDuration))
        json.member("decodeMilliseconds", milliseconds(picture.decodeDuration))
        json.member("encodeMilliseconds", milliseconds(picture.encodeDuration))
    }

    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}

extension JSONText {
    /// The text of an object, a line.
    static func line(_ members: (inout JSONText) -> Void) -> String {
        var json = JSONText()
        json.object(members)
        return json.text + "\n"
    }

    mutating func size(_ size: PixelSize) {
        member("width", size.widthPx)
        member("height", size.heightPx)
    }
}
