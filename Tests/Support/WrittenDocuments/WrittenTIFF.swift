/// A TIFF of grey pages (TIFF 6.0), of which each may have a size and a name of its own.
package struct WrittenTIFF {
    package struct Page {
        package var widthPx: Int
        package var heightPx: Int
        package var grey: UInt8
        package var name: String?
        package var orientation = 1
        /// Whether its pixels lie behind the end of the file.
        package var isDamaged = false
        /// Entries of its directory that nobody knows.
        package var unknownEntryCount = 0
        /// Entries of one number in place of its own with the same tag, or beside them.
        package var changes: [(tag: Int, type: Int, value: Int)] = []
        /// Smaller versions inside the page (SubIFDs).
        package var levels: [Page] = []

        package init(
            _ widthPx: Int, _ heightPx: Int, grey: UInt8 = 128, name: String? = nil, orientation: Int = 1,
            isDamaged: Bool = false
        ) {
            (self.widthPx, self.heightPx, self.grey, self.name) = (widthPx, heightPx, grey, name)
            (self.orientation, self.isDamaged) = (orientation, isDamaged)
        }
    }

    package static func bytes(_ pages: [Page]) -> [UInt8] {
        var file: [UInt8] = Array("II".utf8) + [42, 0, 0, 0, 0, 0]
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        // Returns where the directory is, and behind its entries.
        func append(_ page: Page) -> (start: Int, end: Int) {
            let levels = page.levels.map { append($0).start }
            let count = page.widthPx * page.heightPx
            let pixels = page.isDamaged ? 0x7fff_0000 : file.count
            if !page.isDamaged { file += [UInt8](repeating: page.grey, count: count) }
            var entries = [
                (256, 4, 1, page.widthPx), (257, 4, 1, page.heightPx), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
                (273, 4, 1, pixels), (274, 3, 1, page.orientation), (277, 3, 1, 1), (278, 4, 1, page.heightPx),
                (279, 4, 1, count),
            ]
            if levels.count == 1 { entries.append((330, 4, 1, levels[0])) }
            if levels.count > 1 {
                entries.append((330, 4, levels.count, file.count))
                for level in levels { file += little(level, 4) }
            }
            entries += (0..<page.unknownEntryCount).map { (60_000 + $0, 4, 1, 0) }
            if let name = page.name {
                // Text of up to four bytes would lie in the entry itself.
                let text = Array(name.utf8) + [UInt8](repeating: 0, count: max(1, 5 - name.utf8.count))
                entries.append((285, 2, text.count, file.count))
                file += text
            }
            for change in page.changes {
                entries.removeAll { $0.0 == change.tag }
                entries.append((change.tag, change.type, 1, change.value))
            }
            if !file.count.isMultiple(of: 2) { file.append(0) }
            let start = file.count
            file += little(entries.count, 2)
            for (tag, type, count, value) in entries.sorted(by: { $0.0 < $1.0 }) {
                file += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
            }
            file += [0, 0, 0, 0]
            return (start, file.count - 4)
        }
        var link = 4
        for page in pages {
            let directory = append(page)
            file.replaceSubrange(link..<(link + 4), with: little(directory.start, 4))
            link = directory.end
        }
        return file
    }
}
