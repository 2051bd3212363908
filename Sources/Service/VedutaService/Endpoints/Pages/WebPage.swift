import Bytes
import HTTPMessage
import Parameters

/// What every web page begins and ends with.
enum WebPage {
    /// `title` and `body` are markup; `styles` and `script` are files of `/pages/`.
    static func html(title: String, styles: [String] = [], script: String? = nil, _ body: String) -> String {
        let sheets = (["common.css"] + styles).map { "<link rel=\"stylesheet\" href=\"/pages/\($0)\">" }.joined()
        let script = script.map { "<script type=\"module\" src=\"/pages/\($0)\"></script>\n" } ?? ""
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:,">\(sheets)
            \(script)</head><body>
            \(body)</body></html>

            """
    }
}

/// A problem where a browser asked for a page.
enum ProblemPage {
    static func html(_ problem: Problem, requestID: String?) -> String {
        let title = Markup.escaped(problem.title)
        var told = "<p class=\"note fault\">\(marked(problem.detail))</p>"
        if problem.faults.count > 1 {
            let faults = problem.faults.map { "<li>\(marked($0.message))</li>\n" }.joined()
            told = "<ul class=\"note fault\">\n\(faults)</ul>"
        }
        let request = requestID.map { " · request <code>\(Markup.escaped($0))</code>" } ?? ""
        return WebPage.html(
            title: title,
            """
            <main class="page problem">
            <h1>\(title)</h1>
            \(told)
            <p class="small muted">Status \(problem.status.code)\(request)</p>
            <p><a class="button" href="/">Playground</a></p>
            </main>
            """)
    }

    /// `text` with what is between backticks as code.
    private static func marked(_ text: String) -> String {
        Markup.escaped(text).split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .map { index, part in index % 2 == 0 ? String(part) : "<code>\(part)</code>" }.joined()
    }
}

extension RequestHead {
    /// Whether it comes from a browser that is to show the answer, rather than from a script.
    var wantsPage: Bool {
        let accept = AcceptField.parse(fields, ignoringParameters: true)
        return method.isRead && accept.isExplicit("text/html")
            && accept.quality(of: "text/html") >= accept.quality(of: "application/problem+json")
    }
}
