import Pipeline
import System

@testable import Books
@testable import Bytes
@testable import Sources

/// A provider's answer in short form.
struct Answer {
    var provider: Provider
    var record: String
    var match: Candidate.Match = .isbn
    var isSynthetic: Bool?
    var values: [(Field, String)]
    /// Values of authors, one list per author.
    var authors: [[(Field, String)]] = []

    init(
        _ provider: Provider, _ record: String = "R1", match: Candidate.Match = .isbn,
        isSynthetic: Bool? = nil,
        _ values: [(Field, String)] = [], authors: [[(Field, String)]] = []
    ) {
        self.provider = provider
        self.record = record
        self.match = match
        self.isSynthetic = isSynthetic
        self.values = values
        self.authors = authors
    }
}

/// A row of the user's file in short form.
struct UserRow {
    var cells: [LibraryField: String] = [:]
    var title = ""
    var people: [(String, ContributorRole)] = []
    var series: [(String, String)] = []
    var format: EditionFormat?
    var isbn: RowISBN = RowISBN()
}

/// A merged book with its texts as strings.
struct Merged: Equatable {
    struct Value: Equatable {
        var field: Field
        var text: String
        /// `row`, or provider and record.
        var origin: String
        var rule: MergeRule
    }

    var values: [Value]
    var authors: [String]
    var isSynthetic: Bool
    var primaryProvider: Provider?
    var contributors: [Provider]
    var reviewStatus: ReviewStatus
    var quality: UInt8

    subscript(_ field: Field) -> String? { values.first { $0.field == field }?.text }
    func all(_ field: Field) -> [String] { values.filter { $0.field == field }.map(\.text) }
    func rule(_ field: Field) -> MergeRule? { values.first { $0.field == field }?.rule }
    func origin(_ field: Field) -> String? { values.first { $0.field == field }?.origin }
}

enum MergeFixture {
    static func batch(_ inputs: [(UserRow, [Answer])], formatName: String = "goodreads") -> Batch<
        MatchedRows
    > {
        let fields = LibraryField.allCases
        let columns = ColumnMap(
            formatName: formatName, names: fields.map { String(describing: $0) },
            fields: Dictionary(uniqueKeysWithValues: zip(fields, fields.indices)))
        var library = LibraryRows(columns: columns)
        for (index, (row, _)) in inputs.enumerated() {
            let start = library.cells.count
            for field in fields { library.cells.append(library.arena.append(row.cells[field] ?? "")) }
            let position = Position(byte: Int64(index), line: index + 2, record: index + 2)
            var record = LibraryRow(position: position, raw: .none, cells: start..<library.cells.count)
            record.title = library.arena.append(row.title)
            record.format = row.format
            let people = row.people.map { Person(name: library.arena.append($0.0), role: $0.1) }
            record.people = library.people.count..<library.people.count + people.count
            library.people += people
            let series = row.series.map {
                SeriesMention(name: library.arena.append($0.0), number: library.arena.append($0.1))
            }
            record.series = library.series.count..<library.series.count + series.count
            library.series += series
            library.rows.append(record)
        }
        var matched = MatchedRows(ValidatedRows(library: library, isbns: inputs.map(\.0.isbn)))
        for (row, (_, answers)) in inputs.enumerated() {
            let start = matched.candidates.count
            for answer in answers { append(answer, to: &matched) }
            matched.candidatesOfRow[row] = start..<matched.candidates.count
        }
        return Batch(
            sequence: 1, end: .start, recordsRead: inputs.count, payload: matched)
    }

    private static func append(_ answer: Answer, to matched: inout MatchedRows) {
        let start = matched.values.count
        for (field, text) in answer.values {
            matched.values.append(CandidateValue(field, matched.library.arena.append(text)))
        }
        for (number, author) in answer.authors.enumerated() {
            for (field, text) in author {
                let value = matched.library.arena.append(text)
                matched.values.append(CandidateValue(field, author: UInt8(number), value))
            }
        }
        matched.candidates.append(
            Candidate(
                provider: answer.provider, record: matched.library.arena.append(answer.record),
                match: answer.match, isSynthetic: answer.isSynthetic ?? (answer.provider != .openLibrary),
                values: start..<matched.values.count))
    }

    static func merge(
        _ row: UserRow = UserRow(), _ answers: [Answer], policy: MergePolicy = MergePolicy(),
        formatName: String = "goodreads"
    ) async throws -> Merged {
        let out = try await MergeCandidates(policy: policy).process(
            batch([(row, answers)], formatName: formatName))
        return describe(out.payload)[0]
    }

    static func describe(_ books: BookBatch) -> [Merged] {
        books.books.enumerated().map { row, book in
            let candidates = books.matched.candidates[books.matched.candidatesOfRow[row]]
            func name(_ origin: FieldOrigin) -> String {
                guard case .candidate(let index) = origin else { return "row" }
                let candidate = candidates[candidates.startIndex + Int(index)]
                return "\(candidate.provider.contractName)/\(books.arena[candidate.record])"
            }
            return Merged(
                values: books.values[book.values].map {
                    .init(
                        field: $0.field, text: books.arena[$0.value], origin: name($0.origin), rule: $0.rule)
                },
                authors: books.authors[book.authors].map { author in
                    let years = [author.birthYear, author.deathYear].map { $0.map(String.init) ?? "" }
                    return [
                        books.arena[author.name], String(describing: author.role), books.arena[author.key],
                        books.arena[author.wikidata], years[0], years[1], name(author.origin),
                    ].joined(separator: "|")
                },
                isSynthetic: book.isSynthetic, primaryProvider: book.primaryProvider,
                contributors: book.contributors, reviewStatus: book.reviewStatus, quality: book.quality)
        }
    }
}
