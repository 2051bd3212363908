import Bytes
import ImageEngine
import ImagePlan
import Parameters

/// The page at `/view`. It works as it is: a list of pages, each a picture that leads to itself. The script
/// `/pages/viewer.js` reads the list and puts two strips in its place.
enum ViewPage {
    /// `list` has the facts of a document; nil: none are told here, and the script asks for them.
    static func html(_ view: ViewRequest, _ list: PageList? = nil) -> String {
        let id = view.ids.first ?? ""
        let title = Markup.escaped(view.isDocument ? name(id) : "\(view.ids.count) images")
        var body = ""
        if let list {
            for page in list.pages { body += item(id, page, of: list.pageCount) }
        } else if view.isDocument {
            body += item(id, "", page: view.after + 1, alt: name(id), caption: name(id))
        } else {
            for (index, id) in view.ids.enumerated() {
                let alt = "Image \(index + 1) of \(view.ids.count): \(name(id))"
                body += item(id, "", page: index + 1, isPaged: false, alt: alt, caption: name(id))
            }
        }
        var attributes = "data-kind=\"\(view.isDocument ? "document" : "images")\""
        if view.isDocument {
            attributes += " data-id=\"\(Markup.escaped(id))\""
            if let list {
                attributes += " data-count=\"\(list.pageCount)\""
                if list.format.isDrawing { attributes += " data-drawing" }
            }
        }
        return WebPage.html(
            title: title, styles: ["viewer.css"], script: "viewer.js",
            """
            <main id="viewer" \(attributes)>
            <div class="page plain">
            <h1>\(title)</h1>
            <ol class="pages">
            \(body)</ol>
            \(turning(view, list))</div>
            </main>
            """)
    }

    /// Links to the lists of the pages before and behind these.
    private static func turning(_ view: ViewRequest, _ list: PageList?) -> String {
        guard let list, view.isDocument else { return "" }
        var links = ""
        func link(_ after: Int, _ relation: String, _ words: String) {
            var query = CanonicalQuery([QueryItem(name: "id", value: view.ids.first ?? "")])
            if after > 0 { query.append("after", "\(after)") }
            let address = Markup.escaped("/view?" + query.text)
            links += "<a class=\"button\" rel=\"\(relation)\" href=\"\(address)\">\(words)</a>\n"
        }
        if view.after > 0 { link(max(0, view.after - ViewRequest.listedCount), "prev", "Pages before these") }
        if let last = list.pages.last, last.number < list.pageCount { link(last.number, "next", "Further pages") }
        return links.isEmpty ? "" : "<nav aria-label=\"Lists of pages\">\n\(links)</nav>\n"
    }

    private static func item(_ id: String, _ page: PageDescription, of count: Int) -> String {
        let label = page.label.map { ", labelled \($0)" } ?? ""
        let alt = count == 1 ? name(id) : "Page \(page.number) of \(count) of \(name(id))\(label)"
        var facts = " data-width=\"\(page.size.widthPx)\" data-height=\"\(page.size.heightPx)\""
        facts += " data-hash=\"\(page.thumbHashText)\""
        if let label = page.label { facts += " data-label=\"\(Markup.escaped(label))\"" }
        let caption = "\(page.label ?? "\(page.number)") · \(page.size.widthPx) × \(page.size.heightPx)"
        return item(id, facts, page: page.number, isPaged: count > 1, alt: alt, caption: caption)
    }

    private static func item(
        _ id: String, _ facts: String, page: Int, isPaged: Bool = true, alt: String, caption: String
    ) -> String {
        var query = CanonicalQuery([QueryItem(name: "id", value: id)])
        if isPaged { query.append("page", "\(page)") }
        let address = "/asset?" + query.text
        return """
            <li id="page=\(page)" data-id="\(Markup.escaped(id))" data-page="\(page)"\(facts)>\
            <a href="\(Markup.escaped(address))"><img src="\(Markup.escaped(address))&amp;width=960&amp;height=960&amp;fit=inside" \
            loading="lazy" alt="\(Markup.escaped(alt))"></a><p class="small muted">\(Markup.escaped(caption))</p></li>

            """
    }

    /// The last part of an id.
    private static func name(_ id: String) -> String { id.split(separator: "/").last.map(String.init) ?? id }
}
