/// An id that keeps the grammar: relative components, none of which can mean another folder by itself.
///
/// `photos/cat.jpg`. What an id is decided by its text alone; whether something is there is the folder's business.
struct LibraryPath: Equatable, Sendable {
    static let idByteLimit = 1024
    static let componentByteLimit = 255

    /// At least one; each is non-empty, is not `.` or `..`, and holds neither `/` nor NUL.
    let components: [String]

    /// Takes an id apart, O(bytes).
    ///
    /// - Throws: `LibraryError.invalidID` with the first fault in the order of the text.
    init(id: String) throws(LibraryError) {
        guard !id.isEmpty else { throw .invalidID(.empty) }
        guard id.utf8.count <= Self.idByteLimit else { throw .invalidID(.tooLong(limit: Self.idByteLimit)) }
        if id.utf8.first == UInt8(ascii: "/") { throw .invalidID(.absolute) }
        if id.utf8.first == UInt8(ascii: "~") { throw .invalidID(.reservedPrefix) }

        var offset = 0
        for scalar in id.unicodeScalars {
            if Self.isForbidden(scalar) { throw .invalidID(.forbiddenCharacter(offset: offset)) }
            offset += UTF8.width(scalar)
        }
        offset = 0
        var components: [String] = []
        for bytes in id.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let component = String(Substring(bytes))
            switch component {
            case "": throw .invalidID(.emptyComponent(offset: offset))
            case ".", "..": throw .invalidID(.dotComponent(offset: offset))
            default: break
            }
            guard bytes.count <= Self.componentByteLimit else {
                throw .invalidID(.componentTooLong(offset: offset, limit: Self.componentByteLimit))
            }
            components.append(component)
            offset += bytes.count + 1
        }
        self.components = components
    }

    /// Control characters (C0, DEL, C1) end lines and strings; a backslash is a separator elsewhere; embeddings, overrides
    /// and isolates make a name read backwards in logs and pages. Plain direction marks are part of real names.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0x5c, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
