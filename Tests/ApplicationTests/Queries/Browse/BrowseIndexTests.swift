import Database
import Store
import TestSupport
import Testing

@testable import Books
@testable import Queries

/// Filters, counts and orders of a library in memory.
@Suite struct BrowseIndexTests {
    private static let table = """
        Title,Author,ISBN,My Rating,Exclusive Shelf,Bookshelves,Date Added,Date Read,Original Publication Year,Genres,My Review
        The Reef,Ana Lee,9780306406157,5,read,"sea, fav",2020/01/02,2020/02/03,1969,Fantasy,Good
        Émile's Dune,Bo Le Guin,,3,read,fav,2021/01/02,2019/02/03,1965,"Fantasy, Science Fiction",
        A Garden,Ana Lee,,0,to-read,,2019/01/02,,2001,,
        Zoo,Cy Ek,,4,currently-reading,sea,,,,,

        """

    private static func index(_ library: String? = nil) async throws -> BrowseIndex {
        try await LayoutTrip.importing(Array(table.utf8), as: "books.csv") {
            try BrowseIndex($0, library: library)
        }
    }

    private static func query(_ change: (inout BrowseQuery) -> Void = { _ in }) -> BrowseQuery {
        var query = BrowseQuery()
        change(&query)
        return query
    }

    @Test func `books come in every order, and those without a value last`() async throws {
        let index = try await Self.index()
        func order(_ order: BrowseQuery.Order, _ isReversed: Bool = false) -> [Int64] {
            index.find(
                Self.query { ($0.order, $0.isReversed) = (order, isReversed) }, from: 0, count: 9
            ).numbers
        }
        // In the order of the file: Reef, Dune, Garden, Zoo.
        let all = order(.added).sorted()
        func places(_ numbers: [Int64]) -> [Int] { numbers.map { all.firstIndex(of: $0) ?? -1 } }
        #expect(places(order(.added)) == [1, 0, 2, 3])
        #expect(places(order(.added, true)) == [2, 0, 1, 3])
        #expect(places(order(.title)) == [1, 2, 0, 3], "articles and accents do not count")
        #expect(places(order(.title, true)) == [3, 0, 2, 1])
        #expect(places(order(.author)) == [3, 1, 0, 2], "by the last word of the name")
        #expect(places(order(.year)) == [2, 0, 1, 3])
        #expect(places(order(.rating)) == [0, 3, 1, 2])
        #expect(places(order(.read)) == [0, 1, 3, 2])
    }

    @Test func `a facet counts the books that are left if another of its values is chosen`() async throws {
        let index = try await Self.index()
        func values(_ result: BrowseResult, _ facet: BrowseQuery.Facet) -> [String] {
            (result.facets[facet] ?? []).map { "\($0.name) \($0.count)" }
        }
        let all = index.find(BrowseQuery(), from: 0, count: 2)
        #expect(all.all == 4 && all.books == 4 && all.total == 4 && all.numbers.count == 2)
        #expect(values(all, .status) == ["read 2", "currently-reading 1", "to-read 1"])
        #expect(values(all, .shelf) == ["fav 2", "sea 2"])
        #expect(values(all, .rating) == ["5 1", "4 1", "3 1"])
        #expect(values(all, .decade) == ["2000s 1", "1960s 2"])
        #expect(values(all, .only).contains("reviewed 1") && values(all, .only).contains("no-isbn 3"))
        let read = index.find(Self.query { $0.chosen = [.status: "read"] }, from: 0, count: 9)
        #expect(read.total == 2 && read.all == 4)
        #expect(values(read, .status) == values(all, .status))
        #expect(values(read, .shelf) == ["fav 2", "sea 1"])
        let both = index.find(Self.query { $0.chosen = [.status: "read", .shelf: "sea"] }, from: 0, count: 9)
        #expect(both.total == 1 && values(both, .status) == ["currently-reading 1", "read 1"])
        #expect(values(both, .shelf) == ["fav 2", "sea 1"] && values(both, .rating) == ["5 1"])
        let none = index.find(Self.query { $0.chosen = [.genre: "Nothing"] }, from: 0, count: 9)
        #expect(none.total == 0 && none.numbers.isEmpty && values(none, .genre) == values(all, .genre))
    }

    @Test(arguments: [
        ("reef", 1), ("ana", 2), ("le", 3), ("emile dune", 1), ("ef", 0), ("lee reef", 1), ("reef dune", 0),
    ])
    func `words are beginnings of words of title and authors`(words: String, count: Int) async throws {
        let index = try await Self.index()
        let query = Self.query { $0.words = words.split(separator: " ").map(String.init) }
        #expect(index.find(query, from: 0, count: 9).total == count)
    }

    @Test func `pages follow each other, and behind the last one is nothing`() async throws {
        let index = try await Self.index()
        let pages = [0, 3, 6].map { index.find(BrowseQuery(), from: $0, count: 3) }
        #expect(pages.map(\.numbers.count) == [3, 1, 0])
        #expect(pages.map(\.total) == [4, 4, 4])
        #expect(Set(pages.flatMap(\.numbers)).count == 4)
    }

    @Test func `an index is of one library`() async throws {
        #expect(try await Self.index("default").find(BrowseQuery(), from: 0, count: 9).all == 4)
        #expect(try await Self.index("other").find(BrowseQuery(), from: 0, count: 9).all == 0)
    }
}
