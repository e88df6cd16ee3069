import Contract
import Queries
import Store

/// The library: its latest entries, or the results of a search.
struct LibraryPage {
    /// Kind of list.
    enum List {
        case latest(LibraryBrowser.Page)
        case found([FoundBook])
    }

    var list: List
    var libraries: [(name: String, count: Int)]
    /// The library that somebody who sees several has asked for.
    var namedLibrary: String?
    /// The library that is shown; nil for all.
    var library: String?
    /// The words of the search; empty without one.
    var words: String
    /// Why the search failed; nil if it did not.
    var refusal: String?
    /// The latest changes to the library, and the one that has changed it just now.
    var changes: ChangeList
    /// The job that has changed it just now; nil if none has.
    var changed: String?
    /// Whether the user may undo changes.
    var mayUndo: Bool
    var viewer: PageViewer

    /// Maximum number of changes that are listed.
    static let mostChanges = 5

    func document() -> [UInt8] {
        PageFrame(title: "Library", place: .library, viewer: viewer).document { html in
            if let item = changes.items.first(where: { $0.job.name == changed }) {
                html.tag("p", ["class": "note", "role": "status"]) { html in
                    html.text("\(item.words). ")
                    ChangeList.writeWay(from: item, mayUndo: mayUndo, &html)
                }
            }
            writeSearch(&html)
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            switch list {
            case .latest(let page): write(page, &html)
            case .found(let books): write(books, &html)
            }
            html.tag("p", ["class": "buttons"]) { html in
                html.tag(
                    "a", ["class": "button quiet", "href": "/page/export?format=csv"], "Download as CSV")
                html.tag(
                    "a", ["class": "button quiet", "href": "/page/export?format=ndjson"],
                    "Download as JSON lines")
            }
            changes.write(most: Self.mostChanges, mayUndo: mayUndo, &html)
        }
    }

    private func writeSearch(_ html: inout HTML) {
        html.tag("form", ["method": "get", "action": "/page/library", "role": "search", "class": "inline"]) {
            html in
            html.tag("label", ["for": "q"], "Words of a title or an author's name")
            html.open("input", ["type": "search", "id": "q", "name": "q", "value": words])
            html.tag("button", "Search")
        }
        guard libraries.count > 1 else { return }
        html.tag("nav", ["aria-label": "Libraries", "class": "libraries"]) { html in
            for (name, count) in [("", libraries.reduce(0) { $0 + $1.count })] + libraries {
                let path = name.isEmpty ? "/page/library" : "/page/library?library=\(PageLink.escaped(name))"
                let text = "\(name.isEmpty ? "All" : name) (\(count))"
                if name == library ?? "" {
                    html.tag("a", ["href": path, "aria-current": "page"], text)
                } else {
                    html.tag("a", ["href": path], text)
                }
            }
        }
    }

    private func write(_ page: LibraryBrowser.Page, _ html: inout HTML) {
        guard !page.items.isEmpty else {
            return html.tag("p", ["class": "note"], "There are no books here yet.")
        }
        PageTable.write(["Title", "Authors", "Year", "Your rating", "Shelf"], caption: nil, into: &html) {
            rows in
            for item in page.items {
                rows.add(
                    [
                        item.title, item.authors.joined(separator: ", "), item.year.map(String.init) ?? "",
                        item.rating.map(PageText.rating) ?? "", item.shelf ?? "",
                    ], links: [0: PageLink.book(item.key, in: libraries.count > 1 ? item.library : nil)])
            }
        }
        guard let next = page.next else { return }
        let more = library.map { "&library=\(PageLink.escaped($0))" } ?? ""
        html.tag("p") { html in
            html.tag(
                "a", ["class": "button", "href": "/page/library?before=\(next)\(more)", "rel": "next"],
                "Earlier entries")
        }
    }

    private func write(_ books: [FoundBook], _ html: inout HTML) {
        guard !books.isEmpty else {
            if refusal == nil { html.tag("p", ["class": "note"], "No books found.") }
            return
        }
        PageTable.write(["Title", "Authors", "Year", "Where"], caption: nil, into: &html) { rows in
            for book in books {
                rows.add(
                    [
                        book.work.title, book.authors.map(\.name).joined(separator: ", "),
                        book.work.firstPublicationYear.map(String.init) ?? "",
                        book.isInStore ? "your library" : "catalog",
                    ], links: book.isInStore ? [0: PageLink.book(book.work.id, in: namedLibrary)] : [:])
            }
        }
    }
}

/// Texts in links.
enum PageLink {
    /// The page of a book.
    ///
    /// - Parameters:
    ///   - id: The book's key or ISBN.
    ///   - library: The library whose book is meant, for those who see several; private libraries can have the same.
    static func book(_ id: String, in library: String?) -> String {
        let end = library.map { "&library=\(escaped($0))" } ?? ""
        return "/page/book?id=\(escaped(id))\(end)"
    }

    /// A text as the value of a query's parameter.
    static func escaped(_ text: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        return text.utf8.map { byte in
            plain.contains(byte)
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
