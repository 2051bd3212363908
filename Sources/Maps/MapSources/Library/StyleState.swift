import Digest
import JSON
import MapRender
import MapStyle

/// A style in one state: read, completed and compiled.
struct StyleState: Sendable {
    let settings: StyleSettings
    /// Its file, as it was when it was last tried; none for what is built in.
    let mark: FileMark?
    /// The document as it was read.
    let original: Original?
    /// The document and what was made of it; nil while nothing good has been found yet.
    let content: Content?
    /// What was wrong when it was last tried, if anything.
    let problem: SourceProblem?

    /// A document before it is completed.
    struct Original: Sendable {
        let document: JSONValue
        let digest: String
    }

    /// What was made of a document.
    struct Content: Sendable {
        let document: JSONValue
        let style: Style
        /// Of the completed document.
        let digest: String
        /// What its sources were completed by; equal ones give the same content.
        let completion: [String: JSONValue]
        /// The sources of the library that it names, by their keys there, in its order.
        let sources: [StyleSourceUse]
        /// The folder that its relative paths are meant from.
        let folder: String?
        /// The states of sprites, glyphs and other files that it names, and of the fonts of the machine.
        let surroundings: String
    }
}

/// A source of the library that a style names.
struct StyleSourceUse: Equatable, Sendable {
    /// What the style calls it.
    let id: String
    /// The address in the style.
    let address: String
    /// Its key among the states of the library.
    let key: String
}
