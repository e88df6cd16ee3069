import Bytes

/// What somebody wants to see of a library: words, one value of each facet, and the order.
package struct BrowseQuery: Sendable, Hashable {
    /// A property by which books are chosen.
    package enum Facet: String, CaseIterable, Sendable, Hashable {
        case status, shelf, rating, genre, decade, language, format, only
    }

    /// An order. Each has a natural direction: the newest, the best, or from A to Z.
    package enum Order: String, CaseIterable, Sendable, Hashable {
        case added, title, author, year, rating, read
    }

    /// Values of the facet ``Facet/only``.
    package enum Mark: String, CaseIterable, Sendable {
        case toDecide = "to-decide"
        case reviewed
        case noCover = "no-cover"
        case noISBN = "no-isbn"
    }

    /// Words of title or authors, folded; each is the beginning of a word.
    package var words: [String] = []
    package var chosen: [Facet: String] = [:]
    /// The only entries that are meant, such as those with an ISBN; nil for all.
    package var entries: Set<Int64>?
    package var order = Order.added
    /// Whether the order is the other way round. Books without a value are the last ones either way.
    package var isReversed = false

    package init() {}

    /// The words of a text as ``words`` has them.
    package static func words(of text: String) -> [String] {
        Folding.fold(text).split(separator: " ").map(String.init)
    }

    /// Whether it leaves books out.
    package var isFiltered: Bool { !words.isEmpty || !chosen.isEmpty || entries != nil }
}

/// The books that a query finds in a library.
package struct BrowseResult: Sendable, Hashable {
    /// A value of a facet, and the number of books that are left if it is chosen.
    package struct Value: Sendable, Hashable {
        package var name: String
        package var count: Int
    }

    /// Number of entries in the library.
    package var all = 0
    /// Number of books in the library: fewer than entries if books have several.
    package var books = 0
    /// Number of entries that were found.
    package var total = 0
    /// The numbers of the entries of the page, in the order of the query.
    package var numbers: [Int64] = []
    /// The values of each facet with books, the most frequent one first; years and ratings from above.
    package var facets: [BrowseQuery.Facet: [Value]] = [:]

    package init() {}
}
