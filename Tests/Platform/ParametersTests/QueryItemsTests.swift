import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct QueryItemsTests {
    @Test func escapesAndPlusAreDecoded() throws {
        let items = try QueryItems.parse("id=a%20b+c&crop=16%3A9%2Ctop&name=%E2%82%AC")
        #expect(items.map(\.value) == ["a b c", "16:9,top", "€"])
    }

    @Test func emptyItemsAreSkippedAndMissingValuesAreEmpty() throws {
        let items = try QueryItems.parse("&&a&b=&c=1=2&")
        #expect(items == [.init(name: "a", value: ""), .init(name: "b", value: ""), .init(name: "c", value: "1=2")])
        #expect(try QueryItems.parse("").isEmpty)
    }

    @Test(arguments: ["a=%", "a=%1", "a=%zz", "a=%00", "a=%0a", "a=%7F", "a=%ff", "a=%c3", "a=%C2%85", "a=\u{1}"])
    func brokenText_isRefused(query: String) {
        #expect { try QueryItems.parse(query) } throws: { error in
            let faults = (error as? ParameterFaults)?.faults ?? []
            return faults.count == 1 && faults.first?.parameter == "a" && faults.first?.reason == .badEncoding
        }
    }

    @Test func allBrokenItemsAreReportedAtOnce() {
        #expect { try QueryItems.parse("a=%&b=1&%zz=2&c=%ff") } throws: { error in
            (error as? ParameterFaults)?.faults.map(\.parameter) == ["a", "%zz", "c"]
        }
    }

    @Test func moreThan256Items_areRefused() throws {
        let full = Array(repeating: "a=1", count: 256).joined(separator: "&")
        #expect(try QueryItems.parse(full).count == 256)
        #expect { try QueryItems.parse(full + "&a=1") } throws: { error in
            (error as? ParameterFaults)?.faults.map(\.reason) == [.tooManyItems(limit: 256)]
        }
    }

    @Test func canonicalTextParsesBackToTheSameItems() throws {
        var scalars: [Unicode.Scalar] = (0x20...0x7e).compactMap { Unicode.Scalar(UInt8($0)) }
        scalars += ["é", "€", "😀", "\u{301}"]
        for scalar in scalars {
            let item = QueryItem(name: "n\(scalar)", value: "\(scalar)v\(scalar)\(scalar)")
            var query = CanonicalQuery()
            query.append(item.name, item.value)
            query.append("b", "2")
            let parsed = try QueryItems.parse(query.text)
            #expect(parsed == [item, QueryItem(name: "b", value: "2")])
            #expect(query.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
        }
    }
}
