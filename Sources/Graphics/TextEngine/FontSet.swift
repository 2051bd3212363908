import CText
import Synchronization

/// The fonts of a machine, found when the first text is set. Any thread may ask.
package final class FontSet: Sendable {
    package static let systemFolders = ["/usr/share/fonts", "/usr/local/share/fonts"]

    private struct Wish: Hashable {
        var character: UInt32
        var style: FontStyle
        var language: String
    }

    private struct Preference: Hashable {
        var style: FontStyle
        var language: String
    }

    private struct GlyphKey: Hashable {
        var font: Int
        var glyph: UInt32
    }

    private static let faceLimit = 4096

    private let folders: [String]
    private let found = Mutex<[FontFace]?>(nil)
    private let fallbacks = Memo<Wish, Font?>(limit: 8192)
    private let orders = Memo<Preference, [FontFace]>(limit: 256)
    private let stacks = Memo<String, [Font]>(limit: 64)
    /// Some 2 KB each.
    private let outlines = Memo<GlyphKey, Outline>(limit: 512)

    package init(folders: [String] = FontSet.systemFolders) { self.folders = folders }

    /// In the order of their files. The first call reads all files: some milliseconds for ten.
    package var faces: [FontFace] {
        found.withLock { found in
            if let found { return found }
            let faces = Self.find(folders)
            found = faces
            return faces
        }
    }

    private static func find(_ folders: [String]) -> [FontFace] {
        var faces: [FontFace] = []
        for folder in folders {
            guard let list = unsafe ctext_font_files(folder) else { continue }
            defer { unsafe ctext_release(list) }
            for path in unsafe String(cString: list).split(separator: "\n").map(String.init) {
                let faceCount = unsafe ctext_face_count(path)
                for face in 0..<Int(faceCount) where faces.count < faceLimit {
                    if let face = FontFace(path: path, face: face, id: faces.count) { faces.append(face) }
                }
            }
        }
        return faces
    }

    /// The fonts of a stack of names joined by commas: of each family that exists the face whose style is nearest.
    package func fonts(ofStack stack: String) -> [Font] {
        stacks.value(stack) {
            stack.split(separator: ",").compactMap { name in
                let (family, style) = FontStyle.split(String(name))
                return Self.sorted(faces.filter { $0.lowercasedFamily == family }, style, "").first?.font
            }
        }
    }

    /// See ``Font/outline(_:)``. `glyph` is of a font of this set.
    package func outline(of glyph: ShapedGlyph) -> Outline {
        outlines.value(GlyphKey(font: glyph.font.id, glyph: glyph.glyph)) { glyph.font.outline(glyph.glyph) }
    }

    /// A font with `character`, for text in `language`: in the wanted style, preferably without serifs. nil when no font has it.
    func fallback(_ character: UInt32, style: FontStyle, language: String) -> Font? {
        fallbacks.value(Wish(character: character, style: style, language: language)) {
            let candidates = ordered(style, language).lazy.filter { $0.mayHave(character) }
            return candidates.compactMap(\.font).first { $0.has(character) }
        }
    }

    /// All faces, the most fitting first. Sorted once for each style and language.
    private func ordered(_ style: FontStyle, _ language: String) -> [FontFace] {
        orders.value(Preference(style: style, language: language)) { Self.sorted(faces, style, language) }
    }

    /// By distance from a style; of equals the first remains the first.
    private static func sorted(_ faces: [FontFace], _ style: FontStyle, _ language: String) -> [FontFace] {
        faces.map { (face: $0, distance: distance($0, style, language)) }
            .sorted { ($0.distance, $0.face.id) < ($1.distance, $1.face.id) }
            .map(\.face)
    }

    private static func distance(_ face: FontFace, _ style: FontStyle, _ language: String) -> Double {
        let family = face.lowercasedFamily
        var distance = abs(face.weight - style.weight) + (face.isItalic == style.isItalic ? 0 : 1000)
        if family.contains("serif") && !family.contains("sans") { distance += 2000 }
        if !family.contains("sans") && !family.contains("gothic") && !family.contains("hei") { distance += 1500 }
        // Faces for tables, screens and signs, and narrow ones: last.
        for word in ["mono", "display", "condensed", "symbols", "math", "ui"] where family.contains(word) {
            distance += 3000
        }
        if face.style.lowercased().contains("condensed") { distance += 3000 }
        if let region = FontStyle.region(of: language), family.contains("cjk") {
            distance += family.hasSuffix(region) ? 0 : 500
        }
        if family != "noto sans", !family.hasPrefix("noto sans cjk") { distance += 1 }
        return distance
    }
}
