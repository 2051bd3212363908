import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Renditions

/// The size that a client asked for, where a list of sizes may have made another one of it.
///
/// All sizes that become the same one share an image, which is made whatever was asked. Whether the size that was asked would
/// enlarge its region is decided when the image is sent: the stored image says how large the region is.
struct AskedSize: Sendable {
    let request: ImageRequest

    /// Of stored images. It is never sent.
    private static let regionField: FieldName = "Veduta-Region"

    /// Notes the size of the region, turned as the image is. Drawings have none, as they may always grow.
    static func note(_ report: RenderReport, of request: ImageRequest, in fields: inout FieldLines) {
        guard !report.header.format.isDrawing else { return }
        let orientation = request.orientation(exif: report.header.orientation)
        let region = orientation.applied(to: report.plan.extract.size)
        fields.append(regionField, "\(region.widthPx) \(region.heightPx)")
    }

    /// Takes the note out of `response`. Not nil where the size would enlarge and must not.
    func refusal(of response: inout Response) -> RenditionError? {
        guard let note = response.fields.remove(Self.regionField), request.refusesEnlarging else { return nil }
        let sides = note.split(separator: " ").compactMap { Int($0) }
        guard sides.count == 2 else { return nil }
        let region = PixelSize(widthPx: sides[0], heightPx: sides[1])
        guard request.enlarges(region) else { return nil }
        return RenditionError(
            ImageError.plan(.enlarges(widthPx: region.widthPx, heightPx: region.heightPx)), source: nil)
    }
}
