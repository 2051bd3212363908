import Colors
import ImageEngine
import ImagePlan
import JSON
import Parameters

/// What is known of an asset, as JSON: the answer of `/assets/{id}` and to `format=json`.
enum DescriptionJSON {
    /// The text for the asset `id`, a line.
    static func text(_ description: ImageDescription, id: String) -> String {
        let header = description.header
        var json = JSONText()
        json.object { json in
            json.member("id", id)
            json.member("format", header.format.rawValue)
            json.member("bytes", description.byteCount)
            json.member("width", description.size.widthPx)
            json.member("height", description.size.heightPx)
            json.name("stored")
            json.object { json in
                json.member("width", header.widthPx)
                json.member("height", header.heightPx)
                json.member("orientation", header.orientation)
            }
            json.name("points")
            if header.format.isDrawing {
                json.object { json in
                    json.member("width", description.size.widthPx)
                    json.member("height", description.size.heightPx)
                }
            } else {
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
            json.name("palette")
            json.array { json in
                for color in description.palette {
                    json.object { json in
                        json.member("color", color.color.canonical)
                        json.member("share", color.share)
                    }
                }
            }
            json.member("thumbHash", description.thumbHashText)
            json.member("blurHash", description.blurHash)
            json.name("focalPoint")
            json.object { json in
                json.member("x", description.focalPoint.x)
                json.member("y", description.focalPoint.y)
            }
        }
        return json.text + "\n"
    }

    private static func write(_ animation: AnimationTiming?, into json: inout JSONText) {
        guard let animation else { return json.null() }
        json.object { json in
            json.name("delaysMs")
            json.array { json in
                for delay in animation.delaysMs { json.number(delay) }
            }
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
