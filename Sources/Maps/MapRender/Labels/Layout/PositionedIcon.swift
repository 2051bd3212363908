import MapStyle

struct PositionedIcon: Sendable {
    enum TextFit: String, Sendable { case none, width, height, both }

    var image: StyleImage
    var box: Box
    /// What the image has around its content, for collisions.
    var collisionPadding: Box?

    init(_ image: StyleImage, anchor: SymbolAnchor, offset: SymbolVector) {
        self.image = image
        let alignment = anchor.alignment
        let left = offset.x - image.width * alignment.horizontal
        let top = offset.y - image.height * alignment.vertical
        box = Box(left: left, top: top, right: left + image.width, bottom: top + image.height)
    }

    /// Around a text with units of `fontScale` CSS pixels: as wide or tall as it, with padding; otherwise in its middle.
    func fitted(
        to text: ShapedText, _ fit: TextFit, padding: Padding, offset: SymbolVector, fontScale: Double
    ) -> PositionedIcon {
        var result = self
        if let content = image.content {
            let ratio = image.pixelRatio
            result.collisionPadding = Box(
                left: content.left / ratio, top: content.top / ratio, right: image.width - content.right / ratio,
                bottom: image.height - content.bottom / ratio)
        }
        let (left, right) = (text.left * fontScale, text.right * fontScale)
        if fit == .width || fit == .both {
            result.box.left = offset.x + left - padding.left
            result.box.right = offset.x + right + padding.right
        } else {
            result.box.left = offset.x + (left + right - image.width) / 2
            result.box.right = result.box.left + image.width
        }
        let (top, bottom) = (text.top * fontScale, text.bottom * fontScale)
        if fit == .height || fit == .both {
            result.box.top = offset.y + top - padding.top
            result.box.bottom = offset.y + bottom + padding.bottom
        } else {
            result.box.top = offset.y + (top + bottom - image.height) / 2
            result.box.bottom = result.box.top + image.height
        }
        return result
    }

    var proportionedBox: Box {
        guard let content = image.content, box.height != 0, box.width != 0 else { return box }
        var result = box
        let ratio = (content.right - content.left) / (content.bottom - content.top)
        let isWide = box.width / box.height > ratio
        let isNarrow = box.width / box.height < ratio
        if image.textFitHeight == .proportional {
            guard image.textFitWidth == .proportional || (image.textFitWidth == .stretchOnly && isNarrow) else {
                return box
            }
            let width = (box.height * ratio).rounded(.up)
            result.left *= width / box.width
            result.right = result.left + width
        } else if image.textFitWidth == .proportional, image.textFitHeight == .stretchOnly, isWide {
            let height = (box.width / ratio).rounded(.up)
            result.top *= height / box.height
            result.bottom = result.top + height
        }
        return result
    }
}

extension Box {
    init(_ icon: PositionedIcon, scale: Double, padding: Padding, rotation: Double, parts: Double = 1) {
        self.init(
            icon.proportionedBox, scale: scale, padding: padding, extra: icon.collisionPadding, rotation: rotation,
            parts: parts)
    }
}
