import Bytes
import JSON
import MapRender
import MapStyle
import TextEngine

/// Looks for the sprites, glyphs and fonts that a style names.
struct StyleFilesCheck {
    let resources: StyleResources
    let style: Style

    func check(_ layers: [CheckedLayer], _ report: inout MapReport) {
        checkImages(layers, &report)
        checkFonts(layers, &report)
    }

    private func checkImages(_ layers: [CheckedLayer], _ report: inout MapReport) {
        var names: Set<String> = [BuiltInImages.dot]
        var hasRemoteSprite = false
        for sprite in style.sprites {
            if SourceAddress.isRemote(sprite.url) {
                hasRemoteSprite = true
                report.note(MapReport.notContacted, at: "sprite")
                continue
            }
            guard let index = object(sprite.url + ".json") else {
                report.fault("\(sprite.url).json is missing or is not a JSON object", at: "sprite")
                continue
            }
            if bytes(sprite.url + ".png").flatMap(resources.picture) == nil {
                report.fault("\(sprite.url).png is missing or is not an image", at: "sprite")
            }
            let prefix = sprite.id == "default" ? "" : sprite.id + ":"
            names.formUnion(index.members.map { prefix + $0.name })
        }
        guard !hasRemoteSprite else { return }
        for layer in layers {
            let absent = layer.references.images.subtracting(names).sorted()
            guard !absent.isEmpty else { continue }
            let list = absent.prefix(20).joined(separator: ", ")
            report.note("no sprite has \(list); the server's own images may have it", at: layer.path)
        }
    }

    private func bytes(_ address: String) -> SharedBytes? { (try? resources.bytes(at: address)) ?? nil }

    private func object(_ address: String) -> OrderedObject<JSONValue>? {
        bytes(address).flatMap { try? JSONReader.read($0.withUnsafeBytes { [UInt8]($0) }) }?.object
    }

    /// Reports font stacks that are used and for which there is nothing.
    private func checkFonts(_ layers: [CheckedLayer], _ report: inout MapReport) {
        var firstUses: [String: String] = [:]
        for layer in layers {
            for stack in layer.references.fontStacks where firstUses[stack] == nil { firstUses[stack] = layer.path }
        }
        let stacks = firstUses.sorted { $0.key < $1.key }
        guard let template = style.glyphs else {
            let fonts = FontSet()
            for (stack, path) in stacks where fonts.fonts(ofStack: stack).isEmpty {
                report.note("this machine has no font '\(stack)'; another font is used instead", at: path)
            }
            return
        }
        if SourceAddress.isRemote(template) {
            return report.note("they are on another server, which was not contacted", at: "glyphs")
        }
        for (stack, path) in stacks where bytes(Self.address(template, stack)) == nil {
            // As when drawing: without glyphs for the stack as a whole, its fonts count one by one.
            let fonts = stack.split(separator: ",").map(String.init)
            let absent = fonts.filter { bytes(Self.address(template, $0)) == nil }
            if absent.count == fonts.count {
                report.fault("there are no glyphs at '\(Self.address(template, stack))'", at: path)
            } else if let first = absent.first {
                report.note(
                    "there are no glyphs at '\(Self.address(template, first))'; other fonts are used instead", at: path)
            }
        }
    }

    private static func address(_ template: String, _ fonts: String) -> String {
        template.replacing("{fontstack}", with: fonts).replacing("{range}", with: "0-255")
    }
}
