import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Parameters
import Renditions

// What images that are drawn, such as maps and polls, have in common: the format, what it varies with, and the encoding.

extension DrawnEncoding {
    func outputFormat(_ fields: Fields, usual: OutputFormat = .png) -> OutputFormat {
        let accept = AcceptField.parse(fields)
        return outputFormat(
            accepting: { accept.quality(of: $0.mediaType) }, named: { accept.isExplicit($0.mediaType) }, usual: usual)
    }

    func mediaType(_ output: OutputFormat) -> String { isVector ? "image/svg+xml" : output.mediaType }

    /// Of a picture that moves.
    func movingFormat(_ fields: Fields) -> OutputFormat {
        let accept = AcceptField.parse(fields)
        return movingFormat(accepting: { accept.quality(of: $0.mediaType) }, named: { accept.isExplicit($0.mediaType) })
    }

    /// The value of `Vary`; may be empty. `isThemed`: colors are those that the client prefers.
    func vary(isThemed: Bool) -> String {
        ((format == nil && !isVector ? ["Accept"] : []) + (isThemed ? [VariedFields.colorScheme.text] : [])).joined(
            separator: ", ")
    }

    /// Encodes premultiplied RGBA8, and tells how long that took.
    func encode(
        _ rgba: SharedBytes, _ size: PixelSize, scale: PlainDecimal, as output: OutputFormat, isQuick: Bool = false,
        _ job: RenderJob
    ) throws(RenditionError) -> (content: SharedBytes, timing: RenderTiming) {
        let started = ContinuousClock.now
        do throws(ImageError) {
            let content = try ImageEngine.encode(
                rgba: rgba, widthPx: size.widthPx, heightPx: size.heightPx, output: output, quality: quality,
                filters: ImageFilter.inOrder(filters, scale: scale), isQuick: isQuick, shouldStop: job.shouldStop)
            return (content, ("encode", ContinuousClock.now - started))
        } catch {
            throw RenditionError(error)
        }
    }

    /// Encodes opaque RGBA8 that moves once, and tells how long that took.
    func encode(
        frames: [SharedBytes], _ delaysMs: [Int], _ size: PixelSize, as output: OutputFormat, _ job: RenderJob
    ) throws(RenditionError) -> (content: SharedBytes, timing: RenderTiming) {
        let started = ContinuousClock.now
        do throws(ImageError) {
            let content = try ImageEngine.encode(
                frames: frames, delaysMs: delaysMs, widthPx: size.widthPx, heightPx: size.heightPx, output: output,
                quality: quality, shouldStop: job.shouldStop)
            return (content, ("encode", ContinuousClock.now - started))
        } catch {
            throw RenditionError(error)
        }
    }

    func append(to lines: inout FieldLines, _ output: OutputFormat) {
        guard let downloadName else { return }
        let ending = ".\(Self.vector)"
        let name = isVector && !downloadName.hasSuffix(ending) ? downloadName + ending : downloadName
        lines.append(.contentDisposition, ContentDisposition.attachment(named: name, format: isVector ? nil : output))
    }
}

extension RenderJob {
    /// Asks whether work of this cost may begin.
    func check(_ cost: PredictedCost) throws(RenditionError) {
        do throws(ImageError) { try admission(cost).check(cost) } catch { throw RenditionError(error) }
    }
}

extension VariedFields {
    /// A string or token of a structured field (RFC 9651), quoted or not.
    static func prefersDark(_ head: RequestHead) -> Bool { head.fields.first(colorScheme)?.contains("dark") ?? false }
}
