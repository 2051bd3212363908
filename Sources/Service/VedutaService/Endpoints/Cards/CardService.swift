import Cards
import HTTPServer
import TextEngine

/// What cards are drawn with.
final class CardService: Sendable {
    let fonts: FontSet
    /// Pictures that avatars and cards showed lately.
    let cells: CardPictureCells
    let layouts = AvatarLayouts()
    /// Changes with what draws cards, besides what they are made of; part of entity tags.
    let validator: String
    /// For the content of POST, of all clients together.
    let contentMemory = ContentMemory(byteLimit: 8 << 20)

    /// Raised when code that lays cards out or draws them makes other pixels of the same request.
    private static let version = 4

    /// `fontDigest` changes with the fonts of the machine.
    init(fonts: FontSet, fontDigest: String, cells: CardPictureCells) {
        self.fonts = fonts
        self.cells = cells
        validator = "cards \(Self.version) \(fontDigest)"
    }

    func typesetter() -> CardTypesetter { CardTypesetter(fonts: fonts) }
}
