import Books
import Queries

/// The filters above the books of a library, and what was chosen. Without scripts, each choice is a link.
struct LibraryFilters {
    var address: LibraryAddress
    var result: BrowseResult

    /// Maximum number of values that a facet shows.
    private static let maxValues = 40

    func write(_ html: inout HTML) {
        html.tag("nav", ["class": "filters", "aria-label": "Filters"]) { html in
            for facet in BrowseQuery.Facet.allCases where address.query.chosen[facet] == nil {
                write(facet, &html)
            }
            writeOrders(&html)
        }
        guard address.query.isFiltered else { return }
        html.tag("ul", ["class": "chosen", "aria-label": "Chosen filters"]) { html in
            for facet in BrowseQuery.Facet.allCases {
                guard let value = address.query.chosen[facet] else { continue }
                Self.remove(
                    "\(Self.name(of: facet)): \(Self.name(value, of: facet))",
                    address.changed { $0.query.chosen[facet] = nil }, &html)
            }
            if !address.words.isEmpty {
                Self.remove(
                    "“\(address.words)”",
                    address.changed { ($0.words, $0.query.words) = ("", []) }, &html)
            }
        }
    }

    private static func remove(_ text: String, _ rest: LibraryAddress, _ html: inout HTML) {
        html.tag("li") { html in
            html.tag("a", ["href": rest.path, "aria-label": "Remove the filter \(text)"], "\(text) ✕")
        }
    }

    private func write(_ facet: BrowseQuery.Facet, _ html: inout HTML) {
        let values = result.facets[facet] ?? []
        guard !values.isEmpty else { return }
        Self.menu(Self.name(of: facet), &html) { html in
            for value in values.prefix(Self.maxValues) {
                html.tag("li") { html in
                    let link = address.changed { $0.query.chosen[facet] = value.name }
                    html.tag("a", ["href": link.path], Self.name(value.name, of: facet))
                    html.tag("span", ["class": "hint"], PageText.grouped(value.count))
                }
            }
            if values.count > Self.maxValues {
                html.tag(
                    "li", ["class": "hint"],
                    "and \(PageText.count(values.count - Self.maxValues, "other")), with fewer books")
            }
        }
    }

    private func writeOrders(_ html: inout HTML) {
        Self.menu("Sort", &html) { html in
            for order in BrowseQuery.Order.allCases {
                for isReversed in [false, true] {
                    let link = address.changed { ($0.query.order, $0.query.isReversed) = (order, isReversed) }
                    let isCurrent = address.query.order == order && address.query.isReversed == isReversed
                    let text = Self.name(of: order, isReversed: isReversed)
                    html.tag("li") { html in
                        html.tag(
                            "a",
                            isCurrent ? ["href": link.path, "aria-current": "true"] : ["href": link.path],
                            text)
                    }
                }
            }
        }
    }

    /// A list that opens. Only one of them is open at a time.
    private static func menu(_ title: String, _ html: inout HTML, _ body: (inout HTML) -> Void) {
        html.tag("details", ["name": "filters"]) { html in
            html.tag("summary", title)
            html.tag("ul", [:], body)
        }
    }

    // MARK: Words

    private static func name(of facet: BrowseQuery.Facet) -> String {
        switch facet {
        case .status: "Status"
        case .shelf: "Shelf"
        case .rating: "Your rating"
        case .genre: "Genre"
        case .decade: "Year"
        case .language: "Language"
        case .format: "Format"
        case .only: "Only"
        }
    }

    private static func name(of mark: BrowseQuery.Mark) -> String {
        switch mark {
        case .toDecide: "to decide"
        case .reviewed: "with your review"
        case .noCover: "no cover"
        case .noISBN: "no ISBN"
        }
    }

    /// A value of a facet for people.
    private static func name(_ value: String, of facet: BrowseQuery.Facet) -> String {
        switch facet {
        case .status: EntryPanel.words(value)
        case .rating: value == "1" ? "1 star" : "\(value) stars"
        case .only: BrowseQuery.Mark(rawValue: value).map { name(of: $0) } ?? value
        case .format: PageText.words(of: value)
        case .language: LanguageNames.english(value)
        case .shelf, .genre, .decade: value
        }
    }

    /// An order for people.
    static func name(of order: BrowseQuery.Order, isReversed: Bool) -> String {
        switch (order, isReversed) {
        case (.added, false): "newest first"
        case (.added, true): "oldest first"
        case (.title, false): "title, A to Z"
        case (.title, true): "title, Z to A"
        case (.author, false): "author, A to Z"
        case (.author, true): "author, Z to A"
        case (.year, false): "year, latest first"
        case (.year, true): "year, earliest first"
        case (.rating, false): "your rating, best first"
        case (.rating, true): "your rating, worst first"
        case (.read, false): "read, latest first"
        case (.read, true): "read, earliest first"
        }
    }
}
