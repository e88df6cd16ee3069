import Contract
import Queries
import Store

/// The library: its books, filtered, sorted and counted; or what a search finds elsewhere.
struct LibraryPage {
    /// Kind of list.
    enum List {
        /// A page of a library with counts and filters.
        case browsed(BrowseResult, [LibraryBrowser.Item])
        /// The latest entries of a library that is too large for them.
        case latest(LibraryBrowser.Page)
        /// Only the books of a search by meaning.
        case found
    }

    var address: LibraryAddress
    var list: List
    /// What store and catalogs have for the words, if the library has nothing, or what a search by meaning has found.
    var found: [FoundBook] = []
    var choice = LibraryChoice()
    /// Jobs with books to decide, and their numbers.
    var undecided: [(job: String, count: Int)] = []
    /// Whether books can be found by meaning.
    var hasVectors = false
    /// Why the search failed; nil if it did not.
    var refusal: String?
    /// The latest changes to the library, and the one that has changed it just now.
    var changes: ChangeList
    /// The job that has changed it just now; nil if none has.
    var changed: String?
    /// The rejected change of several books, if any.
    var refused: BulkForm.Refused?
    /// Number of books that the change left out.
    var left = 0
    /// Whether the change had no effect.
    var isUnchanged = false
    /// Whether the user may undo changes.
    var mayUndo: Bool
    var viewer: PageViewer

    /// Whether the library has no book of the page.
    var isEmpty: Bool {
        switch list {
        case .browsed(_, let items): items.isEmpty
        case .latest, .found: true
        }
    }

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
            if mayUndo, let first = undecided.first {
                html.tag("p", ["class": "warning"]) { html in
                    let count = undecided.reduce(0) { $0 + $1.count }
                    html.tag(
                        "a", ["href": "/page/jobs/\(first.job)/matches"],
                        "\(PageText.count(count, "book")) to decide")
                    html.text(": several books fit, and etl does not guess.")
                }
            }
            writeSearch(&html)
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            if let refused, bulkForm == nil {
                html.tag("p", ["class": "failure", "role": "alert"], refused.reason)
            }
            if left > 0 {
                html.tag(
                    "p", ["class": "warning"],
                    "\(PageText.count(left, "book")) not changed, because other libraries have them, too. Only an administrator can change them."
                )
            }
            if isUnchanged {
                html.tag(
                    "p", ["class": "note", "role": "status"],
                    "Nothing was changed: the books are like this already, or no longer there.")
            }
            if mayUndo, choice.isOpen, choice.current == nil {
                html.tag("p", ["class": "hint"], "To change several books at once, choose a library.")
            }
            switch list {
            case .latest(let page): write(page, &html)
            case .browsed(let result, let items): write(result, items, &html)
            case .found:
                if found.isEmpty, refusal == nil { html.tag("p", ["class": "note"], "No books found.") }
            }
            if !found.isEmpty { writeFound(&html) }
            html.tag("p", ["class": "buttons"]) { html in
                for (path, text) in [
                    ("/page/add", "Add a book"), ("/page/statistics", "Statistics"), ("/page/year", "A year"),
                    ("/page/downloads", "Download"),
                ]
                where mayUndo || path != "/page/add" {
                    let address = PageLink.path(path, [("library", address.library)])
                    html.tag("a", ["class": "button quiet", "href": address], text)
                }
            }
            changes.write(most: Self.mostChanges, mayUndo: mayUndo, &html)
        }
    }

    private func writeSearch(_ html: inout HTML) {
        html.tag("form", ["method": "get", "action": "/page/library", "role": "search", "class": "inline"]) {
            html in
            html.tag("label", ["for": "q"], "Words of a title or an author's name")
            html.open("input", ["type": "search", "id": "q", "name": "q", "value": address.words])
            // A search within what was chosen.
            FormInput.hidden(address.at(page: 1).pairs.filter { !["q", "mode"].contains($0.0) }, &html)
            html.tag("button", "Search")
            if hasVectors {
                FormInput.check(
                    "checkbox", "mode", value: LibraryAddress.meaning, "By what books are about",
                    isChecked: address.isByMeaning, &html)
            }
        }
        choice.write(to: { PageLink.path("/page/library", [("library", $0)]) }, &html)
    }

    // MARK: Books

    private func write(_ result: BrowseResult, _ items: [LibraryBrowser.Item], _ html: inout HTML) {
        guard result.all > 0 else {
            return html.tag("p", ["class": "note"], "There are no books here yet.")
        }
        LibraryFilters(address: address, result: result).write(&html)
        let start = (address.page - 1) * LibraryAddress.pageSize
        html.tag("p", ["class": "total", "role": "status"]) { html in
            let books = PageText.count(result.books, "book")
            let all =
                result.books < result.all ? "\(PageText.grouped(result.all)) entries of \(books)" : books
            html.text(address.query.isFiltered ? "\(PageText.grouped(result.total)) of \(all)" : all)
            if result.total > items.count, !items.isEmpty {
                html.text(", \(PageText.grouped(start + 1)) to \(PageText.grouped(start + items.count))")
            }
            html.text(
                ", \(LibraryFilters.name(of: address.query.order, isReversed: address.query.isReversed)). ")
            html.tag(
                "a", ["href": address.changed { $0.showsCovers.toggle() }.path],
                address.showsCovers ? "Show as a table" : "Show covers")
            // On a phone the form is below fifty books.
            if bulkForm != nil, !address.showsCovers, !items.isEmpty {
                html.text(" · ")
                html.tag("a", ["href": "#\(BulkForm.place)"], "Change several books")
            }
        }
        if items.count > Self.mostBeforePages { writePages(of: result.total, at: "top", &html) }
        if items.isEmpty {
            html.tag("p", ["class": "note"], "No books found.")
        } else if address.showsCovers {
            CoverList(items: items, namesLibrary: choice.isOpen, covers: viewer.covers).write(&html)
        } else {
            writeTable(items, isSortable: true, &html)
        }
        writePages(of: result.total, at: "bottom", &html)
    }

    /// Maximum number of books without links to other pages above them.
    private static let mostBeforePages = 10

    /// The form that changes several books at once; nil if they are not of one library.
    private var bulkForm: BulkForm? {
        guard mayUndo, choice.only != nil, case .browsed(let result, _) = list else { return nil }
        return BulkForm(address: address, total: result.total, refused: refused)
    }

    private func writeTable(_ items: [LibraryBrowser.Item], isSortable: Bool, _ html: inout HTML) {
        var sorting: [Int: PageTable.Sorting] = [:]
        let form = isSortable ? bulkForm : nil
        let namesLibrary = choice.isOpen && choice.current == nil
        let orders: [BrowseQuery.Order?] = [.title, .author, .year, .rating, nil, .added, .read]
        for (index, order) in orders.enumerated() where isSortable {
            guard let order else { continue }
            let isCurrent = address.query.order == order
            let isAscending = [.title, .author].contains(order) != address.query.isReversed
            sorting[index] = .init(
                link: address.sorted(by: order).path,
                direction: isCurrent ? (isAscending ? "ascending" : "descending") : nil)
        }
        let names =
            ["Title", "Authors", "Year", "Your rating", "Status", "Added", "Read"]
            + (namesLibrary ? ["Library"] : [])
        PageTable.write(names, caption: nil, hasBoxes: form != nil, sorting: sorting, into: &html) { rows in
            for item in items {
                rows.add(
                    [
                        item.title, item.authors.joined(separator: ", "), item.year.map(String.init) ?? "",
                        item.rating.map(PageText.rating) ?? "",
                        item.shelf.map { EntryPanel.words($0) } ?? "", item.dateAdded ?? "",
                        item.dateRead ?? "",
                    ] + (namesLibrary ? [item.library] : []), box: form?.box(item),
                    links: [0: item.path(namesLibrary: choice.isOpen)],
                    languages: item.language.map { [0: $0] } ?? [:])
            }
        }
        form?.write(&html)
    }

    private func writePages(of total: Int, at end: String, _ html: inout HTML) {
        let last = max(1, (total + LibraryAddress.pageSize - 1) / LibraryAddress.pageSize)
        guard last > 1 else { return }
        let page = address.page
        PageTurns.write(
            "Pages of books, at the \(end)",
            previous: page > 1 ? address.at(page: min(page - 1, last)).path : nil,
            place: "Page \(PageText.grouped(page)) of \(PageText.grouped(last))",
            next: page < last ? address.at(page: page + 1).path : nil, &html)
    }

    private func write(_ page: LibraryBrowser.Page, _ html: inout HTML) {
        html.tag(
            "p", ["class": "hint"],
            "This library is too large for filters and counts here. Search, or use etl list.")
        writeTable(page.items, isSortable: false, &html)
        guard let next = page.next else { return }
        let more = address.library.map { "&library=\(PageLink.escaped($0))" } ?? ""
        html.tag("p") { html in
            html.tag(
                "a", ["class": "button", "href": "/page/library?before=\(next)\(more)", "rel": "next"],
                "Earlier entries")
        }
    }

    private func writeFound(_ html: inout HTML) {
        html.tag("h2", address.isByMeaning ? "Books that fit" : "Similar titles, and books of catalogs")
        PageTable.write(["Title", "Authors", "Year", "Where"], caption: nil, into: &html) { rows in
            for book in found {
                rows.add(
                    [
                        book.work.title, book.authors.map(\.name).joined(separator: ", "),
                        book.work.firstPublicationYear.map(String.init) ?? "",
                        book.isInStore ? "your library" : "catalog",
                    ], links: book.isInStore ? [0: PageLink.book(book.work.id, in: address.library)] : [:])
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
    ///   - job: The job that has changed it just now; nil if none has.
    static func book(_ id: String, in library: String?, changed job: String? = nil) -> String {
        path("/page/book", [("id", id), ("library", library), ("changed", job)])
    }

    /// A path with those parameters that have a value.
    static func path(_ page: String, _ parameters: [(String, String?)]) -> String {
        let pairs = parameters.compactMap { name, value in value.map { "\(name)=\(escaped($0))" } }
        return pairs.isEmpty ? page : "\(page)?\(pairs.joined(separator: "&"))"
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
