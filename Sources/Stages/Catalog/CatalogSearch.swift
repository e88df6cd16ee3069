/// The catalog's search: works by words of their title and their authors' names.
final class CatalogSearch {
    private let search: FullTextSearch
    private let work: Statement
    private let isbn: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        search = try FullTextSearch(connection)
        work = try connection.prepare("SELECT body FROM work WHERE id = ?")
        isbn = try connection.prepare("SELECT isbn FROM work_isbn WHERE work = ?")
    }

    /// Works that fit, the best first, each as an answer: the work alone, and where it has an ISBN that edition
    /// with it.
    func find(title: String, author: String, _ books: CatalogBooks) throws(SQLiteError) -> CatalogFindings {
        let hits = try search.find(title: title, author: author, isTyped: true) { work throws(SQLiteError) in
            try self.text(of: work)
        }
        var findings = CatalogFindings()
        for hit in hits {
            isbn.bind(1, hit.document)
            let number = try isbn.step() ? isbn.integer(0) : nil
            isbn.reset()
            try books.append(work: hit.document, isbn: number, to: &findings.answers)
            findings.scores.append(hit.score)
        }
        return findings
    }

    /// The works that fit alone, the best first, each with how many editions it has.
    func works(
        title: String, author: String
    ) throws(SQLiteError) -> [(number: Int64, editions: Int64)] {
        try search.find(title: title, author: author) { work throws(SQLiteError) in
            try self.text(of: work)
        }.map { ($0.document, $0.editions) }
    }

    private func text(of number: Int64) throws(SQLiteError) -> SearchText? {
        work.bind(1, number)
        guard try work.step() else { return nil }
        defer { work.reset() }
        var text = SearchText()
        var folded: [UInt8] = []
        work.withBytes(0) { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                guard field == .title || field == .subtitle || field == .authorName else { return }
                folded.removeAll(keepingCapacity: true)
                Folding.fold(UnsafeRawBufferPointer(rebasing: bytes[range]), into: &folded)
                let value = String(decoding: folded, as: UTF8.self)
                switch field {
                case .title: text.title = value
                case .subtitle: text.subtitle = value
                default: text.author += text.author.isEmpty ? value : " " + value
                }
            }
        }
        return text
    }
}

/// What a search of the catalog found: answers as to questions, the best first, each with its score.
package struct CatalogFindings: Sendable {
    package var answers = BookAnswers()
    package var scores: [Double] = []
}
