import Bytes
import MapSources
import Parameters

/// The page at `/`. It works as it is: links to try, for the images and the map that this server has. The script
/// `/pages/playground.js` puts a playground in their place.
enum IndexPage {
    /// `pictures` are ids of the library, `styles` the names of map styles, the default first.
    static func html(pictures: [String], maps: MapExamples, styles: [String]) -> String {
        var body = ""
        for id in pictures { body += figure(asset(id, "width=320&height=240&fit=cover"), Markup.escaped(id)) }
        if let id = pictures.first {
            body += "<h2>One image, different parameters</h2>\n"
            for (query, words) in variations { body += figure(asset(id, query), words) }
            let path = Markup.escaped(AssetAddress.path(id))
            body += "<p><a href=\"\(path)\">Description</a> "
            body += "and <a href=\"\(path)/pages\">list of pages</a> of this image; "
            body += "<a href=\"\(Markup.escaped(view(pictures)))\">leaf through all of these</a>.</p>\n"
        }
        if pictures.isEmpty { body += "<p>The library is empty: start with <code>--library FOLDER</code>.</p>\n" }
        body += "<h2>Places</h2>\n"
        for (query, words) in maps.queries { body += figure("/map?" + query, words) }
        body += "<h2>A group</h2>\n" + figure("/avatar?" + group(pictures), "/avatar") + "\n"
        body += "<h2>A poll</h2>\n" + figure("/poll?" + poll, "/poll") + "\n"
        body += "<h2>A preview of a link</h2>\n" + figure("/card?" + card(pictures), "/card") + "\n"
        body += "<h2>Endpoints</h2>\n<table>\n"
        for row in Endpoint.allCases.map(\.row) {
            for path in row.paths.flatMap(\.documented) {
                body += "<tr><td><code>\(Markup.escaped(path))</code></td><td>\(row.allow)</td></tr>\n"
            }
        }
        body += "</table>\n"
        return page(
            " data-styles=\"\(Markup.escaped(styles.joined(separator: ",")))\"",
            """
            <p>Any picture is a URL. Change a link and see what happens; a mistake is explained.</p>
            <h2>Pictures</h2>
            \(body)
            """)
    }

    /// In place of the page for those who may not see its list: it names nothing, and its script asks for the token.
    static let closed = page(" data-closed", tokenNotice)

    static let tokenNotice = """
        <p>This server shows its list to those with its token. The page can ask for it where scripts run; others send \
        <code>Authorization: Bearer TOKEN</code>.</p>
        """

    /// `attributes` are what the script reads.
    private static func page(_ attributes: String, _ body: String) -> String {
        WebPage.html(
            title: "Veduta", styles: ["playground.css"], script: "playground.js",
            """
            <header class="head-bar"><h1>Veduta</h1><nav aria-label="About this server">
            <a href="/maps">maps</a><a href="/openapi.yaml">openapi.yaml</a><a href="/veduta.js">veduta.js</a><a href="/metrics">metrics</a></nav></header>
            <main id="playground"\(attributes)><div class="page plain">
            \(body)</div></main>
            """)
    }

    /// Ids with a comma cannot be listed.
    private static func view(_ pictures: [String]) -> String {
        "/view?"
            + CanonicalQuery([
                QueryItem(name: "ids", value: pictures.filter { !$0.contains(",") }.joined(separator: ","))
            ]).text
    }

    private static func group(_ pictures: [String]) -> String {
        var query = CanonicalQuery()
        query.append("ids", pictures.filter { !$0.contains(",") }.prefix(3).joined(separator: ","))
        query.append("names", "Anna Bell,Bo Li,Cy Do,Ed")
        query.append("size", "128")
        return query.text
    }

    private static func card(_ pictures: [String]) -> String {
        var query = CanonicalQuery()
        query.append("template", "article")
        query.append("title", "Any picture is a URL")
        query.append("site", "Veduta")
        if let id = pictures.first { query.append("image", id) }
        return query.text
    }

    private static let poll = CanonicalQuery([
        QueryItem(name: "question", value: "Where shall we have dinner?"),
        QueryItem(name: "option", value: "votes:12|chosen:1|Trattoria"),
        QueryItem(name: "option", value: "votes:7|Sushi"), QueryItem(name: "option", value: "votes:5|At home"),
        QueryItem(name: "width", value: "320"),
    ]).text

    private static let variations = [
        ("width=320&crop=square", "crop=square"),
        ("width=320&rotate=90", "rotate=90"),
        ("width=320&filter=grayscale,blur:2", "filter=grayscale,blur:2"),
        ("width=320&filter=brightness:15,contrast:30", "filter=brightness:15,contrast:30"),
    ]

    private static func asset(_ id: String, _ query: String) -> String {
        var canonical = CanonicalQuery()
        canonical.append("id", id)
        return "/asset?\(canonical.text)&\(query)"
    }

    private static func figure(_ path: String, _ words: String) -> String {
        let link = Markup.escaped(path)
        return
            "<figure><a href=\"\(link)\"><img src=\"\(link)\" loading=\"lazy\" alt=\"\"></a><figcaption>\(words)</figcaption></figure>\n"
    }
}
