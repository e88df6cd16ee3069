package import Books
import Bytes
import Database
import System

/// Searches a catalog for works by words of their title and their authors' names.
final class CatalogSearch {
    private let search: FullTextSearch
    private let work: Statement
    private let editions: KeyBlockReader
    private let workOfISBN: Statement
    private let editionTitles: Statement

    init(_ connection: Connection) throws(ETLError) {
        search = try FullTextSearch(connection)
        work = try connection.prepare("SELECT body FROM work WHERE id = ?")
        editions = try KeyBlockReader(connection, table: "work_edition")
        workOfISBN = try connection.prepare("SELECT work FROM edition WHERE isbn = ?")
        editionTitles = try connection.prepare("SELECT titles FROM edition_title WHERE work = ?")
    }

    /// Matching works, best first. An answer is the work, with an edition if the work has an ISBN; the
    /// edition has the title by which the work was found.
    func find(title: String, author: String, _ books: CatalogBooks) throws(ETLError) -> CatalogFindings {
        let hits = try search.find(title: title, author: author, isTyped: true) { work throws(ETLError) in
            try self.text(of: work)
        }
        var findings = CatalogFindings()
        for hit in hits {
            let form = try otherTitle(of: hit)
            let number = if let form { form.isbn } else { try lowestISBN(of: hit.document) }
            try books.append(work: hit.document, isbn: number, to: &findings.answers)
            findings.scores.append(hit.score)
            findings.foundTitles.append(form.flatMap { findings.answers.title(of: $0) })
        }
        return findings
    }

    /// The edition title by which a work was found. Nil if the work's own title matched, or if the edition's
    /// ISBN now belongs to another work.
    private func otherTitle(of hit: FullTextSearch.Hit) throws(ETLError) -> EditionTitles.Form? {
        guard let place = hit.otherTitle else { return nil }
        let text = try text(of: hit.document) ?? SearchText()
        let forms = try forms(of: hit.document, besides: text)
        guard forms.indices.contains(place) else { return nil }
        workOfISBN.bind(1, forms[place].isbn)
        defer { workOfISBN.reset() }
        return try workOfISBN.next() && workOfISBN.integer(0) == hit.document ? forms[place] : nil
    }

    private func lowestISBN(of work: Int64) throws(ETLError) -> Int64? {
        try editions.values(of: work, limit: 1).first.map { EditionSketch(packed: $0).isbn }
    }

    private func forms(
        of work: Int64, besides text: SearchText
    ) throws(ETLError) -> [EditionTitles.Form] {
        editionTitles.bind(1, work)
        defer { editionTitles.reset() }
        return try editionTitles.next()
            ? editionTitles.withBytes(0) { EditionTitles.forms($0, besides: text) } : []
    }

    private func text(of number: Int64) throws(ETLError) -> SearchText? {
        guard try work.first(number) else { return nil }
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
        text.otherTitles = try forms(of: number, besides: text).map(\.text)
        return text
    }
}

/// Results of a catalog search, best first, each with its score.
package struct CatalogFindings: Sendable {
    package var answers = BookAnswers()
    package var scores: [Double] = []
    /// The edition titles by which works were found, in their original spelling; nil if the work's own title
    /// matched.
    package var foundTitles: [String?] = []

    package init(answers: BookAnswers = BookAnswers(), scores: [Double] = [], foundTitles: [String?] = []) {
        self.answers = answers
        self.scores = scores
        self.foundTitles = foundTitles
    }
}

extension BookAnswers {
    /// The title of the last answer's edition in its original spelling, if it folds to the given form;
    /// otherwise nil.
    fileprivate func title(of form: EditionTitles.Form) -> String? {
        guard let answer = answers.last else { return nil }
        func text(_ field: Field) -> String? {
            values[answer.values].first { $0.field == field }.map { arena[$0.value] }
        }
        guard var title = text(.editionTitle) else { return nil }
        if form.hasSubtitle, let subtitle = text(.editionSubtitle) { title += ": \(subtitle)" }
        return Folding.fold(title) == form.text ? title : nil
    }
}
