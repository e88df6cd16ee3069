import Books
import Contract
import System

/// Source of the images of covers on a page that is written to a file.
package enum ReportCovers: Sendable {
    case none
    /// A browser loads them from the addresses in the library.
    case linked
    /// They are in the page, by their addresses.
    case embedded([String: CoverImage])

    func image(of card: LibraryReport.Card) -> String? {
        guard let cover = card.cover else { return nil }
        switch self {
        case .none: return nil
        case .linked: return CoverAddress.isAddress(cover) ? cover : nil
        case .embedded(let images): return images[cover]?.address
        }
    }
}

/// Where a page leads that a server shows.
package struct ReportLinks: Sendable {
    /// Path of the server as the browser spells it.
    package var base: String
    /// The address of its style sheet: ``ReportDocument/style``.
    package var style: String
    package var links: [(text: String, path: String)]

    package init(base: String, style: String, links: [(text: String, path: String)]) {
        self.base = base
        self.style = style
        self.links = links
    }
}

/// The frame of the pages that are written to files, without scripts or fonts. Without linked covers they load nothing.
package struct ReportDocument {
    var title: String
    var covers: ReportCovers
    /// Milliseconds since 1970.
    var writtenAt: Int64
    /// Other pages of the server; nil for a page that is written to a file.
    var links: ReportLinks?

    /// The style sheet. It is in a document that is written to a file.
    package static let style = PackageResources.report_css

    /// The document, in UTF-8.
    ///
    /// - Parameters:
    ///   - header: Writes what follows the title.
    ///   - main: Writes the contents.
    func bytes(_ header: (inout HTML) -> Void, _ main: (inout HTML) -> Void) -> [UInt8] {
        var html = HTML(base: links?.base ?? "")
        html.verbatim("<!DOCTYPE html>\n")
        html.tag("html", ["lang": "en"]) { html in
            html.tag("head") { html in
                html.pageBasics()
                html.open("meta", ["name": "referrer", "content": "no-referrer"])
                html.tag("title", title)
                if let links {
                    html.open("link", ["rel": "stylesheet", "href": links.style])
                } else {
                    html.tag("style") { $0.verbatim(resource: Self.style) }
                }
            }
            html.tag("body") { html in
                html.tag("a", ["class": "skip", "href": "#library"], "Skip to the library")
                html.tag("header") { html in
                    writeLinks(&html)
                    html.tag("h1", ["dir": "auto"], title)
                    header(&html)
                }
                html.tag("main", ["id": "library"], main)
                html.tag("footer") { html in
                    html.text("Written by etl on ")
                    let day = String(Timestamp.withoutFraction(writtenAt).description.prefix(10))
                    html.tag("time", ["datetime": day], day)
                    html.text(".")
                    if case .linked = covers {
                        html.text(" Covers are loaded from the services that have them.")
                    } else {
                        html.text(" The page loads nothing.")
                    }
                }
            }
        }
        return html.bytes
    }

    private func writeLinks(_ html: inout HTML) {
        guard let links, !links.links.isEmpty else { return }
        html.tag("nav", ["aria-label": "Pages"]) { html in
            for (text, path) in links.links { html.tag("a", ["href": path], text) }
        }
    }

    /// A number and what it counts, for ``write(totals:_:)``.
    static func total(_ number: Int, _ noun: String) -> (value: String, name: String) {
        (CountText.grouped(number), number == 1 ? noun : noun + "s")
    }

    /// Figures in a row, each with its name.
    static func write(totals: [(value: String, name: String)], _ html: inout HTML) {
        html.tag("ul", ["class": "totals"]) { html in
            for (value, name) in totals {
                html.tag("li") { html in
                    html.tag("strong", value)
                    html.text(" \(name)")
                }
            }
        }
    }

    /// A panel with a heading.
    static func writePanel(
        _ title: String, isWide: Bool = false, _ html: inout HTML, _ content: (inout HTML) -> Void
    ) {
        html.tag("article", ["class": isWide ? "panel wide" : "panel"]) { html in
            html.tag("h3", title)
            content(&html)
        }
    }

    /// Books side by side with their covers.
    func write(_ cards: [LibraryReport.Card], _ html: inout HTML) {
        html.tag("ul", ["class": "shelf"]) { html in for card in cards { write(card, &html) } }
    }

    private func write(_ card: LibraryReport.Card, _ html: inout HTML) {
        // The color depends on the title alone, so that a book has the same one on every shelf and page.
        let hue = card.title.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 8
        html.tag("li") { html in
            html.tag("div", ["class": "cover hue\(hue)"]) { html in
                if let address = covers.image(of: card) {
                    // The title is next to it.
                    html.open(
                        "img",
                        [
                            "src": address, "alt": "", "loading": "lazy", "decoding": "async", "width": "120",
                            "height": "180",
                        ])
                } else {
                    html.tag("span", ["aria-hidden": "true", "dir": "auto"], card.title)
                }
            }
            html.tag("div", ["class": "title", "dir": "auto"], card.title)
            let rating = card.rating.map { "★ \(LibraryReportPage.stars($0))" }
            // One element: the stars have no direction of their own, and stand where the author does.
            html.tag("div", ["class": "hint", "dir": "auto"]) { html in
                html.text(card.author)
                if !card.author.isEmpty, rating != nil { html.open("br") }
                html.text(rating ?? "")
            }
        }
    }
}
