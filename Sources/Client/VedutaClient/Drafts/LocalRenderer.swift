import Foundation

/// Draws images of drafts on this machine until the server has them.
enum LocalRenderer {
    /// An image, and its media type.
    struct Drawn {
        let data: Data
        let mediaType: String
    }

    /// What `url` asks for, drawn from `original`; nil where it cannot be drawn here, as everywhere but on Apple platforms.
    static func draw(_ url: AssetURL, from original: Data) -> Drawn? {
        #if canImport(CoreGraphics)
            CoreGraphicsRenderer(original)?.draw(url)
        #else
            nil
        #endif
    }
}

#if canImport(CoreGraphics)
    import Colors
    import CoreGraphics
    import ImageIO
    import ImagePlan

    /// Carries out the steps of a plan one after the other.
    private struct CoreGraphicsRenderer {
        private let image: CGImage
        private let header: ImageHeader

        init?(_ original: Data) {
            guard let source = CGImageSourceCreateWithData(original as CFData, nil),
                let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
            else { return nil }
            let facts = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
            let hasAlpha = ![CGImageAlphaInfo.none, .noneSkipFirst, .noneSkipLast].contains(image.alphaInfo)
            self.image = image
            header = ImageHeader(
                format: .jpeg, widthPx: image.width, heightPx: image.height,
                orientation: facts?[kCGImagePropertyOrientation] as? Int ?? 1, hasAlpha: hasAlpha,
                pageCount: CGImageSourceGetCount(source))
        }

        func draw(_ url: AssetURL) -> LocalRenderer.Drawn? {
            guard let plan = LocalPlan(url, of: header) else { return nil }
            var drawn = image
            for step in plan.steps {
                guard let next = Self.draw(step, of: drawn) else { return nil }
                drawn = next
            }
            let data = NSMutableData()
            let type = plan.format == .png ? "public.png" : "public.jpeg"
            guard let target = CGImageDestinationCreateWithData(data, type as CFString, 1, nil) else { return nil }
            let options = [kCGImageDestinationLossyCompressionQuality: Double(plan.quality ?? 80) / 100]
            CGImageDestinationAddImage(target, drawn, options as CFDictionary)
            guard CGImageDestinationFinalize(target) else { return nil }
            return LocalRenderer.Drawn(data: data as Data, mediaType: plan.format == .png ? "image/png" : "image/jpeg")
        }

        private static func draw(_ step: ImageStep, of image: CGImage) -> CGImage? {
            let whole = CGRect(x: 0, y: 0, width: image.width, height: image.height)
            switch step {
            case .extract(let rect), .crop(let rect):
                return image.cropping(to: CGRect(x: rect.x, y: rect.y, width: rect.widthPx, height: rect.heightPx))
            case .resize(let size):
                return canvas(size.widthPx, size.heightPx) { context, bounds in
                    context.interpolationQuality = .high
                    context.draw(image, in: bounds)
                }
            case .orient(let orientation):
                let isTurned = !orientation.quarterTurns.isMultiple(of: 2)
                let (width, height) = isTurned ? (image.height, image.width) : (image.width, image.height)
                return canvas(width, height) { context, bounds in
                    // Around the middle; the y axis of a context points up, so clockwise is negative. Mirroring comes first.
                    context.translateBy(x: bounds.midX, y: bounds.midY)
                    context.rotate(by: -Double(orientation.quarterTurns) * .pi / 2)
                    if orientation.isMirrored { context.scaleBy(x: -1, y: 1) }
                    context.draw(image, in: whole.offsetBy(dx: -whole.midX, dy: -whole.midY))
                }
            case .pad(let size, let x, let y, let background):
                return canvas(size.widthPx, size.heightPx) { context, bounds in
                    context.setFillColor(background.local)
                    context.fill(bounds)
                    context.draw(image, in: whole.offsetBy(dx: Double(x), dy: bounds.height - Double(y) - whole.height))
                }
            case .flatten(let color):
                return canvas(image.width, image.height) { context, bounds in
                    context.setFillColor(color.local)
                    context.fill(bounds)
                    context.draw(image, in: bounds)
                }
            case .filter:
                let gray = CGContext(
                    data: nil, width: image.width, height: image.height, bitsPerComponent: 8, bytesPerRow: 0,
                    space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue)
                gray?.draw(image, in: whole)
                return gray?.makeImage()
            case .surround, .rotate, .overlay, .mask: return nil
            }
        }

        private static func canvas(_ width: Int, _ height: Int, _ draw: (CGContext, CGRect) -> Void) -> CGImage? {
            guard let space = CGColorSpace(name: CGColorSpace.sRGB),
                let context = CGContext(
                    data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: space,
                    bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            else { return nil }
            draw(context, CGRect(x: 0, y: 0, width: width, height: height))
            return context.makeImage()
        }
    }

    extension Color {
        fileprivate var local: CGColor {
            CGColor(
                srgbRed: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255,
                alpha: Double(alpha) / 255)
        }
    }
#endif
