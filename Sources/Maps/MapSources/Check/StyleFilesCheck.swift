import Bytes
import JSON
import MapRender
import MapStyle
import TextEngine

/// Looks for the sprites, glyphs and fonts that a style names.
struct StyleFilesCheck {
    let resources: StyleResources

    func check(
        _ style: Style, _ layers: [(place: String, mentions: StyleMentions)], _ report: inout MapReport
    ) {
        checkImages(style, layers, &report)
        checkFonts(style, layers, &report)
    }

    private func checkImages(
        _ style: Style, _ layers: [(place: String, mentions: StyleMentions)], _ report: inout MapReport
    ) {
        var names: Set<String> = [BuiltInImages.dot]
        var isWholeKnown = true
        for sprite in style.sprites {
            if SourceReader.isRemote(sprite.url) {
                isWholeKnown = false
                report.notice("sprite", "it is on another server, which was not contacted")
                continue
            }
            guard let index = object(sprite.url + ".json") else {
                report.fault("sprite", "\(sprite.url).json is missing or is not a JSON object")
                continue
            }
            let picture = (try? resources.bytes(at: sprite.url + ".png")) ?? nil
            if picture.flatMap(resources.picture) == nil {
                report.fault("sprite", "\(sprite.url).png is missing or is not an image")
            }
            let prefix = sprite.id == "default" ? "" : sprite.id + ":"
            names.formUnion(index.members.map { prefix + $0.name })
        }
        guard isWholeKnown else { return }
        for (place, mentions) in layers {
            let absent = mentions.images.subtracting(names).sorted()
            guard !absent.isEmpty else { continue }
            let list = absent.prefix(20).joined(separator: ", ")
            report.notice(place, "no sprite has \(list); the server's own images may have it")
        }
    }

    private func object(_ address: String) -> OrderedObject<JSONValue>? {
        guard let bytes = (try? resources.bytes(at: address)) ?? nil else { return nil }
        return (try? JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) }))?.object
    }

    /// A stack that is used and that there is nothing of.
    private func checkFonts(
        _ style: Style, _ layers: [(place: String, mentions: StyleMentions)], _ report: inout MapReport
    ) {
        var stacks: [String: String] = [:]
        for (place, mentions) in layers {
            for stack in mentions.fontStacks where stacks[stack] == nil { stacks[stack] = place }
        }
        guard let template = style.glyphs else {
            let fonts = FontSet()
            for (stack, place) in stacks.sorted(by: { $0.key < $1.key }) where fonts.fonts(ofStack: stack).isEmpty {
                report.notice(place, "this machine has no font '\(stack)'; another font is used instead")
            }
            return
        }
        if SourceReader.isRemote(template) {
            return report.notice("glyphs", "they are on another server, which was not contacted")
        }
        for (stack, place) in stacks.sorted(by: { $0.key < $1.key }) {
            if hasGlyphs(template, stack) { continue }
            // As in pictures, the fonts of a stack count one by one where there is nothing of all of them together.
            let fonts = stack.split(separator: ",").map(String.init)
            let absent = fonts.filter { !hasGlyphs(template, $0) }
            if absent.count == fonts.count {
                report.fault(place, "there are no glyphs at '\(Self.address(template, stack))'")
            } else if let first = absent.first {
                report.notice(
                    place, "there are no glyphs at '\(Self.address(template, first))'; other fonts are used instead")
            }
        }
    }

    private func hasGlyphs(_ template: String, _ fonts: String) -> Bool {
        ((try? resources.bytes(at: Self.address(template, fonts))) ?? nil) != nil
    }

    /// The address of the first range of glyphs.
    private static func address(_ template: String, _ fonts: String) -> String {
        template.replacing("{fontstack}", with: fonts).replacing("{range}", with: "0-255")
    }
}
