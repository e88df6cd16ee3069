import Queries
import System

@testable import Bytes
@testable import Database
@testable import Sources

/// Reads an input as what somebody searches for. Each line is a text: a title and a name.
enum SearchedWords {
    /// A few documents, in a full-text index in memory.
    private struct Index {
        let search: FullTextSearch
        let texts: [Int64: SearchText]

        init() throws(ETLError) {
            let connection = try Connection(":memory:", .create)
            try connection.execute(FullTextSchema.tables)
            let writer = try FullTextWriter(connection)
            var texts: [Int64: SearchText] = [:]
            for (place, (title, author)) in zip(Int64(1)..., SearchedWords.documents) {
                let text = SearchText(title: Folding.fold(title), author: Folding.fold(author))
                texts[place] = text
                try writer.append(place: place, document: place, editions: 10 - place, text)
            }
            try writer.finish()
            search = try FullTextSearch(connection)
            self.texts = texts
        }

        func find(_ title: String, _ author: String, isTyped: Bool) throws(ETLError) -> [FullTextSearch
            .Hit]
        {
            try search.find(title: title, author: author, isTyped: isTyped) { texts[$0] }
        }
    }

    private static let documents = [
        ("The Lord of the Rings", "J. R. R. Tolkien"), ("The Great Gatsby", "F. Scott Fitzgerald"),
        ("Cien años de soledad", "Gabriel García Márquez"), ("1984", "George Orwell"), ("三体", "刘慈欣"),
        ("Not Near OR", "AND"),
    ]

    // Proof: libFuzzer calls from one thread.
    private nonisolated(unsafe) static let index: Index = {
        do { return try Index() } catch { fatalError("no index: \(error)") }
    }()

    static func read(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let (title, author) = (lines.first ?? "", lines.dropFirst().first ?? "")
        _ = BookReference(title)
        let query = SearchQuery.advanced(title: title, author: author)
        guard query.refusal == nil else { return }
        do {
            _ = try index.find(title, author, isTyped: true)
            let found = try index.find(title, author, isTyped: false)
            let again = try index.find(Folding.fold(title), Folding.fold(author), isTyped: false)
            demand(found == again, "spelling decides what is found")
        } catch {
            fatalError("a search failed: \(error)")
        }
    }
}
