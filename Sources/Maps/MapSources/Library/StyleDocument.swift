import JSON
import MapStyle
import Synchronization

/// The document of a style. Of one of the service's own only an outline is kept; the rest is read from the program when it is
/// asked for, as it takes megabytes.
struct StyleDocument: Sendable {
    /// All of it, or all but the filters and properties of layers; which layers have texts is there.
    private(set) var head: JSONValue
    private var read: (@Sendable () -> JSONValue?)?

    init(_ document: JSONValue) { head = document }

    /// `read` gives `document` again.
    init(ofService document: JSONValue, read: @escaping @Sendable () -> JSONValue?) {
        head = document
        if var root = document.object, let layers = root["layers"]?.elements {
            root["layers"] = .array(layers.map(Self.outline(of:)))
            head = .object(root)
        }
        self.read = read
    }

    private static func outline(of layer: JSONValue) -> JSONValue {
        var outline = OrderedObject<JSONValue>()
        for name in ["id", "type", "source", "source-layer"] { outline[name] = layer[name] }
        if layer["layout"]?["text-field"] != nil { outline["layout"] = .make(["text-field": ""]) }
        return .object(outline)
    }

    var isWhole: Bool { read == nil }
    /// O(bytes) where only the outline is kept.
    var whole: JSONValue { read?() ?? head }

    func changingSources(
        _ change: @escaping @Sendable (_ id: String, inout OrderedObject<JSONValue>) -> Void
    ) -> StyleDocument {
        var changed = self
        changed.head = head.changingSources(change)
        if let read { changed.read = { read()?.changingSources(change) } }
        return changed
    }
}

/// A style that was read. One of a file is compiled at once, which finds its faults; one of the service's own when it is first
/// drawn, as most servers draw one or none.
final class CompiledStyle: Sendable {
    let document: StyleDocument
    /// The style, without filters and properties of layers where only the document's outline is kept.
    let outline: Style
    private let compiled: Mutex<Style?>

    init(_ document: StyleDocument) throws(StyleFailure) {
        self.document = document
        outline = try Style.read(document.head)
        compiled = Mutex(document.isWhole ? outline : nil)
    }

    /// The first use takes tens of milliseconds, and others wait for it.
    var style: Style {
        compiled.withLock { compiled in
            if let style = compiled { return style }
            let style = (try? Style.read(document.whole)) ?? outline
            compiled = style
            return style
        }
    }
}
