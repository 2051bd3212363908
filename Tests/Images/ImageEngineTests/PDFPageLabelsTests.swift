import Bytes
import ImagePlan
import Testing
import WrittenDocuments

@testable import ImageEngine

/// #15.24: what a PDF calls its pages (ISO 32000-1 §12.4.2).
@Suite(.timeLimit(.minutes(5))) struct PDFPageLabelsTests {
    /// The labels of the first `count` pages; the catalogue is object 1, and `more` adds objects from number 2 on.
    private func labels(_ tree: String, count: Int, more: (inout WrittenPDF) -> Void = { _ in }) throws -> [String?] {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /PageLabels \(tree) >>")
        more(&file)
        return try labels(of: file.bytes(root: 1), count: count)
    }

    private func labels(of file: [UInt8], count: Int) throws -> [String?] {
        try PDFPageLabels.labels(of: SharedBytes(file), 0..<count, in: RenderContext())
    }

    @Test func labels_haveStylePrefixAndStart() throws {
        let tree = """
            << /Nums [0 << /S /r >> 4 << /S /D >> 6 << /S /D /P (A-) /St 8 >> 8 << /S /A >> 10 << /S /a /St 27 >>
            12 << /P (cover) >> 13 << >> 14 << /S /R /St 1994 >>] >>
            """
        let expected = [
            "i", "ii", "iii", "iv", "1", "2", "A-8", "A-9", "A", "B", "aa", "bb", "cover", nil, "MCMXCIV", "MCMXCV",
        ]
        #expect(try labels(tree, count: 16) == expected)
        let some = WrittenPDF.document(Array(repeating: (20, 20, ""), count: 16), labels: "/PageLabels " + tree)
        #expect(try PDFPageLabels.labels(of: SharedBytes(some), 3..<7, in: RenderContext()) == ["iv", "1", "2", "A-8"])
        // Pages before the first section have none.
        #expect(try labels("<< /Nums [1 << /S /D >>] >>", count: 3) == [nil, "1", "2"])
    }

    @Test(arguments: [
        (#"(A\(1\) \055\101\))"#, "A(1) -A)1"), (#"((x))"#, "(x)1"), (#"(a\240\204)"#, "a€—1"),
        ("<FEFF00C42014>", "Ä—1"),
        ("<EFBBBFC3A9>", "é1"), ("<4 12>", "A 1"), (#"(a\n\000b)"#, "ab1"), ("()", "1"),
    ])
    func prefixes_areTexts(_ prefix: String, label: String) throws {
        #expect(try labels("<< /Nums [0 << /S /D /P \(prefix) >>] >>", count: 1) == [label])
    }

    @Test func trees_mayBeInParts() throws {
        let found = try labels("2 0 R", count: 5) { file in
            file.add("<< /Kids [3 0 R << /Kids [4 0 R] >>] >>")
            file.add("<< /Limits [0 0] /Nums [0 6 0 R] >>")
            file.add("<< /Limits [2 3] /Nums 5 0 R >>")
            file.add("[2 << /S /D /St 7 0 R /P 8 0 R >> 4 << /S /A >>]")
            file.add("<< /S /r >>")
            file.add("9")
            file.add("(p)")
        }
        // A prefix by reference is not read, so its pages have no label.
        #expect(found == ["i", "ii", nil, nil, "A"])
    }

    @Test func packedTrees_areRead() throws {
        let found = try labels("9 0 R", count: 2) { file in
            file.add("/Type /ObjStm /N 1 /First 4", stream: Array("9 0 << /Nums [0 << /S /R >>] >>".utf8))
        }
        #expect(found == ["I", "II"])
    }

    @Test func lastVersion_counts() throws {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /PageLabels 2 0 R >>")
        file.add("<< /Nums [0 << /S /r >>] >>")
        let first = file.bytes(root: 1)
        #expect(try labels(of: first, count: 1) == ["i"])
        let update = Array("2 0 obj\n<< /Nums [0 << /S /A >>] >>\nendobj\ntrailer << /Root 1 0 R >>\n".utf8)
        #expect(try labels(of: first + update, count: 1) == ["A"])
        let removal = Array("3 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 3 0 R >>\n".utf8)
        #expect(try labels(of: first + removal, count: 1) == [nil])
    }

    @Test(arguments: [
        "<< >>", "null", "7 0 R", "<< /Nums [] >>", "<< /Nums [<< /S /D >>] >>", "<< /Nums [0] >>", "<< /Nums [0 0] >>",
        "<< /Nums [/a << /S /D >>] >>", "<< /Nums [0 << /S /X >>] >>", "<< /Nums [0 << /S (D) >>] >>",
        "<< /Nums [0 << /S /D /St 0 >>] >>", "<< /Nums [0 << /S /D /St -1 >>] >>", "<< /Nums [0 << /S /D /St x >>] >>",
        "<< /Nums [0 << /S /D /St 99999999999999999999 >>] >>", "<< /Nums [0 << /S /r /St 999999999 >>] >>",
        "<< /Nums [0 << /S /A /St 999999999 >>] >>", "<< /Nums [0 << /S /D /P /x >>] >>",
        "<< /Nums [0 << /S /D /P (\(String(repeating: "x", count: 300))) >>] >>", "<< /Nums [0 << /S /D /P (x",
        "<< /Kids [1 0 R] >>", "<< /Kids 2 0 R >>", "2 0 R", "3 0 R",
    ])
    func faultyTrees_giveNoLabel(_ tree: String) throws {
        let found = try labels(tree, count: 3) { file in
            file.add("<< /Nums [0 << /S /D >>] /Kids [3 0 R] >>")
            file.add("<< /Kids [2 0 R] >>")
        }
        #expect(found == [nil, nil, nil], "\(tree)")
    }

    @Test func treesTooDeepOrTooLong_giveNoLabel() throws {
        for (depth, label) in [(20, "1"), (40, nil)] {
            let found = try labels("2 0 R", count: 1) { file in
                for level in 0..<depth { file.add("<< /Kids [\(level + 3) 0 R] >>") }
                file.add("<< /Nums [0 << /S /D >>] >>")
            }
            #expect(found == [label])
        }
        let sections = (0..<10_001).map { "\($0) << /S /D >>" }.joined(separator: " ")
        #expect(try labels("<< /Nums [\(sections)] >>", count: 1) == [nil])
        #expect(try labels("<< /Nums [0 << /S /D >>] >> /Encrypt 5 0 R", count: 1) == [nil])
    }

    /// #15: a comment that all trailers before it see counts for each of them.
    @Test(arguments: [(10, "1"), (1000, nil), (2000, nil)] as [(Int, String?)])
    func commentsAfterManyTrailers_areReadInBoundedSteps(_ count: Int, label: String?) throws {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /PageLabels << /Nums [0 << /S /D >>] >> >>")
        let trailers = Array(("\n" + String(repeating: "trailer 1%", count: count)).utf8)
        #expect(try labels(of: file.bytes(root: 1) + trailers, count: 1) == [label])
    }

    @Test func aStop_endsTheReading() throws {
        let file = WrittenPDF.document([(20, 20, "")], labels: "/PageLabels << /Nums [0 << /S /D >>] >>")
        let much = file + Array(String(repeating: "1 0 obj [] endobj\n", count: 10_000).utf8)
        #expect(throws: ImageError.cancelled) {
            try PDFPageLabels.labels(of: SharedBytes(much), 0..<1, in: RenderContext(shouldStop: { true }))
        }
    }
}
