import Parameters

/// What `/view` shows: the pages of one document, or several images.
struct ViewRequest: Equatable, Sendable {
    static let table = ParameterTable([.init("id"), .init("ids"), .init("after")])
    static let idLimit = 50
    /// Pages that the page itself lists; the script asks for the others as it comes to them.
    static let listedCount = 24

    let ids: [String]
    let isDocument: Bool
    /// Pages up to this one are left out of the list.
    let after: Int

    init(_ reader: inout ParameterReader) {
        let id = reader.string("id")
        let listed = reader.string("ids")?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        isDocument = listed == nil
        ids = listed ?? [id ?? ""]
        after = reader.int("after", 0...PagesRequest.pageLimit) ?? 0
        if let listed {
            if reader.isPresent("id") { reader.refuse("ids", .conflict(with: ["id"])) }
            if after > 0 { reader.refuse("after", .conflict(with: ["ids"])) }
            if listed.count > Self.idLimit { reader.refuse("ids", .tooManyItems(limit: Self.idLimit)) }
            if listed.contains(where: \.isEmpty) {
                reader.refuse("ids", .malformed(allowed: "ids of assets, separated by commas"))
            }
        } else {
            reader.require("id")
        }
    }
}
