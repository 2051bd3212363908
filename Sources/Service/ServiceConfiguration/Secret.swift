/// A text that is told to nobody: not in a description, not by a mirror.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package let text: String

    /// nil for what has characters that are not visible, or more than 1,024 bytes.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 1024, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        self.text = text
    }

    package var description: String { "(not shown)" }
    /// Nothing to look into.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
