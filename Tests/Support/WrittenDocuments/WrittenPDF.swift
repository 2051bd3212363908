/// A PDF of plain objects (ISO 32000-1 §7.5), numbered from 1 in their order.
package struct WrittenPDF {
    private var objects: [[UInt8]] = []

    package init() {}

    /// Adds an object, and returns its number.
    @discardableResult
    package mutating func add(_ text: String) -> Int {
        objects.append(Array(text.utf8))
        return objects.count
    }

    /// Adds a stream; `dictionary` is what its dictionary has beside its length.
    @discardableResult
    package mutating func add(_ dictionary: String, stream: [UInt8]) -> Int {
        objects.append(
            Array("<< \(dictionary) /Length \(stream.count) >>\nstream\n".utf8) + stream + Array("\nendstream".utf8))
        return objects.count
    }

    package var nextNumber: Int { objects.count + 1 }

    /// The file whose catalogue is object `root`.
    package func bytes(root: Int) -> [UInt8] {
        var file = Array("%PDF-1.5\n".utf8)
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.count)
            file += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
        }
        let table = file.count
        file += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8)
        for offset in offsets {
            let digits = String(offset)
            file += Array((String(repeating: "0", count: 10 - digits.utf8.count) + digits + " 00000 n \n").utf8)
        }
        file += Array("trailer << /Size \(objects.count + 1) /Root \(root) 0 R >>\nstartxref\n\(table)\n%%EOF\n".utf8)
        return file
    }

    /// A document whose pages have these sizes in points and contents; `resources` is for all of them.
    package static func document(
        _ pages: [(widthPt: Int, heightPt: Int, content: String)], resources: String = "", labels: String = ""
    ) -> [UInt8] {
        var file = WrittenPDF()
        let kids = pages.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
        file.add("<< /Type /Catalog /Pages 2 0 R \(labels) >>")
        file.add("<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>")
        for page in pages {
            file.add(
                """
                << /Type /Page /Parent 2 0 R /MediaBox [0 0 \(page.widthPt) \(page.heightPt)] \
                /Resources << \(resources) >> /Contents \(file.nextNumber + 1) 0 R >>
                """)
            file.add("", stream: Array(page.content.utf8))
        }
        return file.bytes(root: 1)
    }
}
