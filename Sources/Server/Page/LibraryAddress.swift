import Queries

/// The state of the library's page, all of which is in its address: words, filters, order, page and form.
struct LibraryAddress: Sendable, Hashable {
    /// Number of books on a page.
    static let pageSize = 50

    /// As they were typed, separated by one space.
    var words = ""
    var query = BrowseQuery()
    /// From 1.
    var page = 1
    /// Whether the words say what books are about, and need not be in their titles.
    var isByMeaning = false
    /// Whether covers are shown, and no table.
    var showsCovers = false
    /// The library that somebody who sees several has asked for; nil for all, or if there is one only.
    var library: String?

    /// The value of the parameter `mode` for a search by meaning.
    static let meaning = "semantic"

    /// Its path and query.
    var path: String { path(of: "/page/library") }

    /// The path of a page about the books of this list.
    ///
    /// - Parameter more: Further parameters.
    func path(of page: String, with more: [(String, String)] = []) -> String {
        PageLink.path(page, pairs + more)
    }

    /// The parameters of the query, without those that are as if they were absent.
    var pairs: [(String, String)] {
        var pairs: [(String, String)] = []
        if let library { pairs.append(("library", library)) }
        if !words.isEmpty { pairs.append(("q", words)) }
        if isByMeaning { pairs.append(("mode", Self.meaning)) }
        for facet in BrowseQuery.Facet.allCases {
            if let value = query.chosen[facet] { pairs.append((facet.rawValue, value)) }
        }
        if query.order != .added || query.isReversed {
            pairs.append(("sort", (query.isReversed ? "-" : "") + query.order.rawValue))
        }
        if showsCovers { pairs.append(("view", "covers")) }
        if page > 1 { pairs.append(("page", String(page))) }
        return pairs
    }

    // MARK: Other states

    /// Another page of the same list.
    func at(page: Int) -> LibraryAddress { with { $0.page = page } }

    /// The first page of another list.
    func changed(_ change: (inout LibraryAddress) -> Void) -> LibraryAddress {
        with {
            change(&$0)
            $0.page = 1
        }
    }

    /// The list sorted by an order; the other way round if it is sorted by it already.
    func sorted(by order: BrowseQuery.Order) -> LibraryAddress {
        changed {
            $0.query.isReversed = query.order == order && !query.isReversed
            $0.query.order = order
        }
    }

    private func with(_ change: (inout LibraryAddress) -> Void) -> LibraryAddress {
        var address = self
        change(&address)
        return address
    }
}
