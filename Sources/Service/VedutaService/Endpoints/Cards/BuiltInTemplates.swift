import Bytes
import CardPlan
import Resources

/// The templates that every server has.
enum BuiltInTemplates {
    static let all: [CardTemplate] = Resources.cardTemplates.compactMap { name, bytes in
        try? CardTemplate.read(bytes.withUnsafeBytes { [UInt8]($0) }, name: name)
    }
}
