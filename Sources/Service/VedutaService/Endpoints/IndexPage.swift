import Bytes
import MapSources
import Parameters

/// The page at `/`: links to try, made for the pictures and the map that this server has.
enum IndexPage {
    /// The page as HTML; `pictures` are ids of the library.
    static func html(pictures: [String], place: MapPlace) -> String {
        var body = ""
        for id in pictures {
            body += figure(asset(id, "width=320&height=240&fit=cover"), Markup.escaped(id))
        }
        if let id = pictures.first {
            body += "<h2>One image, different parameters</h2>\n"
            for (query, words) in variations { body += figure(asset(id, query), words) }
            let path = Markup.escaped(AssetAddress.path(id))
            body += "<p><a href=\"\(path)\">Description</a> "
            body += "and <a href=\"\(path)/pages\">list of pages</a> of this image.</p>\n"
        }
        if pictures.isEmpty { body += "<p>The library is empty: start with <code>--library FOLDER</code>.</p>\n" }
        body += "<h2>Places</h2>\n"
        for (query, words) in place.examples { body += figure("/map?" + query, words) }
        body += "<h2>Endpoints</h2>\n<table>\n"
        for row in Endpoint.allCases.map(\.row) {
            for path in row.paths.flatMap(\.documented) {
                body += "<tr><td><code>\(Markup.escaped(path))</code></td><td>\(row.allow)</td></tr>\n"
            }
        }
        body += "</table>\n"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Veduta</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #223 }
            figure { display: inline-block; margin: 0 1rem 1.5rem 0; vertical-align: top; max-width: 20rem }
            img { max-width: 20rem; max-height: 15rem; border-radius: 6px; background: #eef }
            figcaption { font-size: .8rem; overflow-wrap: anywhere } a { color: #246 }
            </style></head><body>
            <h1>Veduta</h1>
            <p>Any picture is a URL. Change a link and see what happens; a mistake is explained.
            <a href="/openapi.yaml">openapi.yaml</a> lists every parameter, <a href="/metrics">/metrics</a> has counters for Prometheus.</p>
            <h2>Pictures</h2>
            \(body)</body></html>

            """
    }

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
            "<figure><a href=\"\(link)\"><img src=\"\(link)\" alt=\"\"></a><figcaption>\(words)</figcaption></figure>\n"
    }
}
