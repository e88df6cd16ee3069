import Bytes
package import Database
import Store
package import System

/// Other books of a book's first author in a library: those of its series, and the others.
package struct RelatedBooks: Sendable, Hashable {
    /// A series of the book with the author's other books in it, by their numbers.
    package struct Series: Sendable, Hashable {
        package var name: String
        package var items: [LibraryBrowser.Item]
    }

    package var series: [Series] = []
    /// The best rated first.
    package var others: [LibraryBrowser.Item] = []

    /// Entries that are looked at: those of the author, and those with the author's name in their title.
    private static let mostEntries = 1_000
    private static let mostOthers = 12

    package init() {}

    /// - Parameters:
    ///   - key: The public key of the book's work.
    ///   - series: The names of its series.
    ///   - author: The name of its first author.
    ///   - index: The library.
    ///   - connection: The store, opened for reading.
    package init(
        to key: String, series names: [String], by author: String, in index: BrowseIndex,
        _ connection: Connection
    ) throws(ETLError) {
        var query = BrowseQuery()
        query.words = Folding.fold(author).split(separator: " ").map(String.init)
        query.order = .rating
        guard !query.words.isEmpty else { return }
        let found = index.find(query, from: 0, count: Self.mostEntries)
        // The words can be those of a title, too, and a book can have several entries.
        var seen: Set<String> = [key]
        var items = try LibraryBrowser(connection).items(found.numbers).filter { item in
            item.authors.first == author && seen.insert(item.key).inserted
        }
        for name in names {
            let volumes = items.filter { $0.number(in: name) != nil }
            guard !volumes.isEmpty else { continue }
            items.removeAll { $0.number(in: name) != nil }
            series.append(
                Series(name: name, items: volumes.sorted { $0.order(in: name) < $1.order(in: name) }))
        }
        others = Array(items.prefix(Self.mostOthers))
    }
}

extension LibraryBrowser.Item {
    /// The number in a series, empty if it has none there; nil if the book is not in the series.
    package func number(in name: String) -> String? {
        series.first { $0.name == name }.map { $0.number ?? "" }
    }

    /// The place in a series. Books without a number come last.
    fileprivate func order(in name: String) -> Double { number(in: name).flatMap { Double($0) } ?? .infinity }
}
