import Bytes
import MapSources

/// The page at `/maps`: the styles and sources of this server, and what to write into a web page. It works as it is; the
/// script `/pages/maps.js` puts a map to pan above it.
enum MapsPage {
    static func html(styles: [String], sources: [String], examples: MapExamples) -> String {
        let style = Markup.escaped(styles.first ?? "light")
        var body = ""
        for name in styles { body += item(Markup.escaped(name)) }
        var rows = ""
        for name in sources.map(Markup.escaped) {
            rows += "<tr><th scope=\"row\">\(name)</th><td><a href=\"/data/\(name).json\">TileJSON</a></td>"
            rows += "<td><code>/data/\(name)/{z}/{x}/{y}</code></td></tr>\n"
        }
        let start = Markup.escaped("/map?" + (examples.queries.first?.query ?? "latitude=20&longitude=10&zoom=1"))
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Maps · Veduta</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:,"><link rel="stylesheet" href="/pages/common.css"><link rel="stylesheet" href="/pages/slippy.css">
            <link rel="stylesheet" href="/pages/maps.css"><script type="module" src="/pages/maps.js"></script>
            </head><body>
            <header class="head-bar"><h1>Maps</h1><nav aria-label="About this server"><a href="/">playground</a>
            <a href="\(start)">picture of a map</a><a href="/wmts">WMTS</a></nav></header>
            <main id="maps" class="page" data-start="\(start)">
            <h2>Styles</h2>
            <ul class="styles">
            \(body)</ul>
            <h2>Sources</h2>
            <div class="scrolled"><table>
            \(rows)</table></div>
            <h2>In a web page</h2>
            <h3>Leaflet</h3>
            <pre tabindex="0">L.tileLayer('/tiles/\(style)/{z}/{x}/{y}{r}.png', { maxZoom: 22 }).addTo(map)</pre>
            <h3>MapLibre GL</h3>
            <pre tabindex="0">new maplibregl.Map({ container: 'map', style: '/styles/\(style).json' })</pre>
            </main></body></html>

            """
    }

    private static func item(_ name: String) -> String {
        """
        <li data-style="\(name)"><img src="/tiles/\(name)/1/1/0@2x.png" width="256" height="256" loading="lazy" alt="">
        <h3>\(name)</h3><p class="small"><a href="/styles/\(name).json">style</a> · <a href="/tiles/\(name).json">TileJSON</a></p>
        <p class="small muted"><code>/tiles/\(name)/{z}/{x}/{y}.png</code></p></li>

        """
    }
}
