import Bytes
import MapSources
import URLSigning

/// The page at `/maps`: the styles and sources of this server, and what to write into a web page. It works as it is; the
/// script `/pages/maps.js` puts a map to pan above it.
struct MapsPage {
    private var styles: [String]
    private var sources: [String]
    private let examples: MapExamples
    private var tiles = Tiles.open

    private enum Tiles {
        case open
        /// By the signed set of the page's own address, which the addresses in it have too.
        case signed(query: String)
        /// They want signatures that the page does not have.
        case unsigned
    }

    init(styles: [String], sources: [String], examples: MapExamples) {
        (self.styles, self.sources, self.examples) = (styles, sources, examples)
    }

    /// The page for a server that wants signatures, which has none for tiles. It makes none: whoever may see it could pass
    /// them on.
    var withoutTiles: MapsPage {
        var page = self
        page.tiles = .unsigned
        return page
    }

    /// The page with what `set` covers, which `query` proves. A style is shown if its description is covered too, which has
    /// the attribution of the tiles.
    func covered(by set: Constraints, _ query: String) -> MapsPage {
        func allows(_ path: String) -> Bool { set.allows(SignedResource(path: path, query: "")) }
        var page = self
        page.styles = styles.filter { name in
            let path = "/tiles/" + PercentEncoding.encoded(name)
            return allows(path + ".json") && allows("\(path)/\(examples.tile)@2x.png")
        }
        page.sources = sources.filter { allows("/data/\(PercentEncoding.encoded($0)).json") }
        page.tiles = page.styles.isEmpty ? .unsigned : .signed(query: query)
        return page
    }

    func html() -> String {
        let style = Markup.escaped(styles.first ?? "light")
        var body = ""
        for name in styles { body += item(Markup.escaped(name)) }
        var rows = ""
        for name in sources.map(Markup.escaped) {
            rows += "<tr><th scope=\"row\">\(name)</th><td><a href=\"/data/\(name).json\(query)\">TileJSON</a></td>"
            rows += "<td><code>/data/\(name)/{z}/{x}/{y}</code></td></tr>\n"
        }
        let start = Markup.escaped("/map?" + (examples.queries.first?.query ?? "latitude=20&longitude=10&zoom=1"))
        return Self.page(
            script: hasTiles ? "maps.js" : nil, links: links(start), " data-start=\"\(start)\"\(attributes)",
            """
            \(notice)<h2>Styles</h2>
            <ul class="styles">
            \(body)</ul>
            <h2>Sources</h2>
            <div class="scrolled"><table>
            \(rows)</table></div>
            <h2>In a web page</h2>
            <h3>Leaflet</h3>
            <pre tabindex="0">L.tileLayer('/tiles/\(style)/{z}/{x}/{y}{r}.png\(query)', { maxZoom: 22 }).addTo(map)</pre>
            <h3>MapLibre GL</h3>
            <pre tabindex="0">new maplibregl.Map({ container: 'map', style: '/styles/\(style).json\(query)' })</pre>
            """)
    }

    /// In place of the page for those who may not see its lists: it names nothing, and its script asks for the token.
    static let closed = page(script: "maps-token.js", "", IndexPage.tokenNotice)

    private static func page(script: String?, links: String = "", _ attributes: String, _ body: String) -> String {
        WebPage.html(
            title: "Maps · Veduta", styles: ["slippy.css", "maps.css"], script: script,
            """
            <header class="head-bar"><h1>Maps</h1><nav aria-label="About this server"><a href="/">playground</a>\(links)</nav></header>
            <main id="maps" class="page"\(attributes)>
            \(body)
            </main>
            """)
    }

    /// What addresses end with.
    private var query: String {
        guard case .signed(let query) = tiles else { return "" }
        return Markup.escaped("?" + query)
    }

    private var attributes: String { query.isEmpty ? "" : " data-signature=\"\(query)\"" }

    private var hasTiles: Bool {
        if case .unsigned = tiles { false } else { true }
    }

    /// To what a set for tiles does not cover.
    private func links(_ start: String) -> String {
        guard case .open = tiles else { return "" }
        return "\n<a href=\"\(start)\">picture of a map</a><a href=\"/wmts\">WMTS</a>"
    }

    private var notice: String {
        guard !hasTiles else { return "" }
        return """
            <p class="note">This server wants signed addresses, and the address of this page has no signature for tiles, so \
            no map is shown. Its operator can sign one: \
            <code>veduta sign --allow 'path=/maps|/tiles/*' /maps</code></p>

            """
    }

    private func item(_ name: String) -> String {
        let address = "/tiles/\(name)/\(examples.tile)@2x.png\(query)"
        let image = "<img src=\"\(address)\" width=\"256\" height=\"256\" loading=\"lazy\" alt=\"\">\n"
        return """
            <li data-style="\(name)">\(hasTiles ? image : "")<h3>\(name)</h3>
            <p class="small"><a href="/styles/\(name).json\(query)">style</a> · <a href="/tiles/\(name).json\(query)">TileJSON</a></p>
            <p class="small muted"><code>/tiles/\(name)/{z}/{x}/{y}.png</code></p></li>

            """
    }
}
