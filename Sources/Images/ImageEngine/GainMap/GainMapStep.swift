import Bytes
import ImagePlan

/// Makes the gain map of one result, beside its encoding.
struct GainMapStep {
    private let planned: PlannedImage
    private let master: Master?
    private var choice: GainMapChoice?
    private var made: MadeGainMap?
    private(set) var reservedByteCount = 0

    /// The least share of `bytes` that is left for the image.
    private static let shareOfLimit = 4

    init(_ planned: PlannedImage, _ master: Master?, changesColors: Bool) {
        (self.planned, self.master) = (planned, master)
        choice = planned.plan.encoding.gainMap
        // One gain for all three colors holds in any.
        if case .keep? = choice, changesColors, planned.header.gainMap?.isColor == true { choice = .omit(.colors) }
    }

    /// Makes the map at once where the bytes of the image depend on those of the map.
    mutating func reserve(in context: RenderContext) throws(ImageError) {
        guard let limit = planned.plan.encoding.byteLimit, case .keep(let size)? = choice else { return }
        try make(size, in: context)
        guard let made else { return }
        let count = made.content.count + GainMapWriter.directoryByteCount
        if count > limit / Self.shareOfLimit {
            choice = .omit(.bytes)
        } else {
            reservedByteCount = count
        }
    }

    /// The content of the result, with the map where it is kept.
    mutating func joined(
        to encoded: EncodedImage, report: inout RenderReport, in context: RenderContext
    ) throws(ImageError) -> SharedBytes {
        guard choice != nil else { return encoded.content }
        if case .keep(let size)? = choice {
            if encoded.format != .jpeg {
                choice = .omit(.format)
            } else if encoded.isWhole {
                report.gainMap = GainMapReport(size: planned.header.gainMap?.size)
                return encoded.content
            } else {
                let started = ContinuousClock.now
                try make(size, in: context)
                if let made, let content = GainMapWriter.joined(encoded.content, made) {
                    report.gainMap = GainMapReport(size: made.size, byteCount: content.count - encoded.content.count)
                    report.steps.append(
                        StepReport(
                            name: "gain map", size: made.size, duration: ContinuousClock.now - started,
                            byteCount: made.content.count))
                    return content
                }
            }
        }
        if case .omit(let omission)? = choice { report.gainMap = GainMapReport(omission: omission) }
        return encoded.content
    }

    /// A map that cannot be read is dropped.
    private mutating func make(_ size: PixelSize, in context: RenderContext) throws(ImageError) {
        guard made == nil else { return }
        let limits = context.options.limits
        let file =
            master.map { $0.gainMap.flatMap { GainMapFile($0, limits: limits) } }
            ?? GainMapFile.find(in: planned.sources.picture, limits: limits)
        do throws(ImageError) {
            made = try file?.made(for: planned.plan, size: size, in: context)
        } catch .cancelled {
            throw .cancelled
        } catch {}
        if made == nil { choice = .omit(.unreadable) }
    }
}
