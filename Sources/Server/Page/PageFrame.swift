import Queries
import System

/// Who looks at a page, and where the server is for them.
struct PageViewer {
    /// Whether somebody is signed in with a token of the server.
    var isSignedIn: Bool
    /// Path of the server as the browser spells it.
    var base: BasePath
    /// Jobs with books that the viewer decides, and their numbers.
    var undecided: [(job: String, count: Int)] = []
    /// Images of covers; nil if the server has none.
    var covers: CoverFiles?
}

/// The frame around every page.
struct PageFrame {
    /// The pages that the navigation leads to.
    enum Place { case home, library, matches, none }

    var title: String
    /// The language of the title, if it is a book's: a code such as `pt`.
    var language: String?
    var place = Place.none
    var viewer: PageViewer
    /// Seconds after which a browser without scripts loads the page again; nil if it need not.
    var refresh: Int?

    /// The whole document.
    func document(_ content: (inout HTML) -> Void) -> [UInt8] {
        var html = HTML(base: viewer.base.text)
        html.open("!DOCTYPE html")
        html.tag("html", ["lang": "en"]) { html in
            html.tag("head") { html in
                html.pageBasics()
                if let refresh {
                    html.tag("noscript") { html in
                        html.open("meta", ["http-equiv": "refresh", "content": "\(refresh)"])
                    }
                }
                html.tag("title", "\(title) · etl")
                html.open("link", ["rel": "stylesheet", "href": PageAssets.stylePath])
                html.open("link", ["rel": "icon", "type": "image/svg+xml", "href": PageAssets.iconPath])
                html.tag("script", ["src": PageAssets.scriptPath, "defer": ""], "")
            }
            html.tag("body") { html in
                html.tag("a", ["class": "skip", "href": "#content"], "Skip to the content")
                html.tag("header") { html in
                    html.tag("a", ["class": "brand", "href": "/"], "etl")
                    html.tag("nav", ["aria-label": "Pages"]) { html in
                        Self.link("Import", "/", isCurrent: place == .home, &html)
                        Self.link("Library", "/page/library", isCurrent: place == .library, &html)
                        if let first = viewer.undecided.first {
                            let count = viewer.undecided.reduce(0) { $0 + $1.count }
                            Self.link(
                                "\(CountText.grouped(count)) to decide", "/page/jobs/\(first.job)/matches",
                                isCurrent: place == .matches, &html)
                        }
                    }
                    if viewer.isSignedIn {
                        html.tag("form", ["method": "post", "action": "/page/sign-out"]) { html in
                            html.tag("button", ["class": "quiet"], "Sign out")
                        }
                    }
                }
                html.tag("main", ["id": "content"]) { html in
                    html.tag("h1", language.map { ["lang": $0, "dir": "auto"] } ?? [:], title)
                    content(&html)
                }
            }
        }
        return html.bytes
    }

    private static func link(_ text: String, _ path: String, isCurrent: Bool, _ html: inout HTML) {
        html.tag("a", ["href": path, "aria-current": isCurrent ? "page" : nil], text)
    }
}

/// The style sheet, the script and the icon of the page. Their names change with their content, so browsers may keep them.
enum PageAssets {
    static let style = PackageResources.style_css
    static let script = PackageResources.page_js
    static let icon = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1f5d8c"/>\
        <path d="M9 7h11a3 3 0 0 1 3 3v15H11a2 2 0 0 1-2-2z" fill="#fff"/><path d="M9 23a2 2 0 0 1 2-2h12" \
        stroke="#1f5d8c" fill="none"/></svg>
        """.utf8)

    static let stylePath = "/page/style-\(tag(style)).css"
    /// The style sheet of statistics and of a year.
    static let reportStylePath = "/page/report-\(tag(ReportDocument.style)).css"
    static let scriptPath = "/page/script-\(tag(script)).js"
    static let iconPath = "/page/icon-\(tag(icon)).svg"

    private static func tag(_ bytes: [UInt8]) -> String {
        var digest = SHA256()
        digest.update(bytes)
        return String(digest.hexDigest.prefix(12))
    }
}
