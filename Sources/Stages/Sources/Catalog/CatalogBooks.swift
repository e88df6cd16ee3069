import Books
import Bytes
import Database
import System

/// Book lookups in a catalog: an edition with its work and authors by ISBN, a work by title and author, and
/// both by Open Library key or another identifier.
final class CatalogBooks {
    /// Maximum number of a work's editions among which the row's is sought.
    static let editionLimit = 512
    /// Maximum number of editions with one identifier. With more, it identifies nothing.
    static let identifierLimit = 8

    private let edition: Statement
    private let work: Statement
    private let editionsOfWork: KeyBlockReader
    private let identifiers: KeyBlockReader
    private let titles: CatalogTitles

    init(_ connection: Connection, provider: Provider) throws(ETLError) {
        // One statement for both lookups: starting and ending a statement costs as much as half a B-tree
        // descent.
        edition = try connection.prepare(
            "SELECT e.work, e.body, w.body FROM edition e LEFT JOIN work w ON w.id = e.work WHERE e.isbn = ?")
        work = try connection.prepare("SELECT body FROM work WHERE id = ?")
        editionsOfWork = try KeyBlockReader(connection, table: "work_edition")
        identifiers = try KeyBlockReader(connection, table: "identifier")
        titles = try CatalogTitles(connection, provider: provider)
    }

    func answer(_ queries: BookQueries) throws(ETLError) -> BookAnswers {
        var answers = BookAnswers(arena: Arena(capacity: queries.queries.count * 512))
        answers.answers.reserveCapacity(queries.queries.count)
        answers.values.reserveCapacity(queries.queries.count * 16)
        for query in queries.queries {
            switch query {
            case .isbn(let isbn):
                try find(isbn, &answers)
            case .described(let description):
                try find(description, queries.arena, &answers)
            case .openLibrary(let work, let edition):
                try find(work: work, edition: edition, &answers)
            case .identifiers(let identifiers):
                try find(identifiers, queries.arena, &answers)
            }
        }
        return answers
    }

    // MARK: By ISBN

    @inline(__always)
    private func find(_ isbn: ISBN, _ answers: inout BookAnswers) throws(ETLError) {
        try find(key: isbn.value, &answers)
    }

    /// - Parameter key: The key of an edition: its ISBN, or ``CatalogSchema/key(ofEdition:)``.
    @inline(__always)
    private func find(key: Int64, _ answers: inout BookAnswers) throws(ETLError) {
        guard try edition.first(key) else {
            answers.answers.append(BookAnswer(.notFound))
            return
        }
        let first = answers.values.count
        let number = edition.integer(0)
        var isValid = edition.withBytes(1) {
            PackedRecord.decode($0, into: &answers.arena, values: &answers.values)
        }
        // An edition can name a work that is not in the catalog.
        let isSynthetic = number == 0 && !answers.values[first...].contains { $0.field == .workKey }
        if number != 0 {
            let hasWork = edition.withBytes(2) {
                PackedRecord.decode($0, into: &answers.arena, values: &answers.values)
            }
            isValid = isValid && hasWork
        }
        edition.reset()
        finish(first, isValid, isSynthetic, &answers)
    }

    private func append(work number: Int64, _ answers: inout BookAnswers) throws(ETLError) -> Bool {
        guard try work.first(number) else { return false }
        defer { work.reset() }
        return work.withBytes(0) { PackedRecord.decode($0, into: &answers.arena, values: &answers.values) }
    }

    private func finish(_ first: Int, _ isValid: Bool, _ isSynthetic: Bool, _ answers: inout BookAnswers) {
        guard isValid, first < answers.values.count else {
            answers.values.removeSubrange(first...)
            answers.answers.append(BookAnswer(.malformed))
            return
        }
        // A record begins with its key.
        answers.answers.append(
            BookAnswer(
                .found, record: answers.values[first].value, isSynthetic: isSynthetic,
                values: first..<answers.values.count))
    }

    // MARK: By key

    private func find(
        work number: Int64, edition: Int64?, _ answers: inout BookAnswers
    ) throws(ETLError) {
        if let edition {
            let name = OpenLibraryKey(.edition, edition).name
            let (count, values) = (answers.answers.count, answers.values.count)
            let keys = try editionsOfWork.values(of: number, limit: Self.readLimit).map {
                EditionSketch(packed: $0).isbn
            }
            for key in [CatalogSchema.key(ofEdition: edition)] + keys {
                try find(key: key, &answers)
                if answers.answers[count].outcome == .found,
                    answers.arena[answers.answers[count].record] == name
                {
                    return
                }
                answers.answers.removeSubrange(count...)
                answers.values.removeSubrange(values...)
            }
        }
        let first = answers.values.count
        if try append(work: number, &answers) {
            finish(first, true, false, &answers)
        } else {
            answers.answers.append(BookAnswer(.notFound))
        }
    }

    /// Editions of a work that are read to find one of them.
    private static let readLimit = 64

    /// Answers with the edition that has one of the identifiers, or with its work if several editions have it.
    private func find(
        _ wanted: BookIdentifiers, _ arena: Arena, _ answers: inout BookAnswers
    ) throws(ETLError) {
        for (kind, text) in wanted.all {
            guard let key = arena.withBytes(text, { kind.key($0) }) else { continue }
            let found = try identifiers.values(of: key, limit: Self.identifierLimit + 1)
            guard let first = found.first, found.count <= Self.identifierLimit else { continue }
            if kind.isOfEdition, found.count == 1 { return try find(key: first, &answers) }
            let works = Set(try found.map { (key) throws(ETLError) in try work(ofEdition: key) })
            if works.count == 1, let work = works.first, let work {
                let first = answers.values.count
                let isValid = try append(work: work, &answers)
                return finish(first, isValid, false, &answers)
            }
        }
        answers.answers.append(BookAnswer(.notFound))
    }

    /// The number of an edition's work; nil if the catalog does not have it.
    private func work(ofEdition key: Int64) throws(ETLError) -> Int64? {
        guard try edition.first(key) else { return nil }
        defer { edition.reset() }
        let number = edition.integer(0)
        return number == 0 ? nil : number
    }

    /// Appends a work as an answer, together with the edition that has the ISBN, if one is given.
    func append(work number: Int64, isbn: Int64?, to answers: inout BookAnswers) throws(ETLError) {
        if let isbn = isbn.flatMap({ ISBN(String($0)) }) { return try find(isbn, &answers) }
        let first = answers.values.count
        let isValid = try append(work: number, &answers)
        finish(first, isValid, false, &answers)
    }

    /// The editions of a work that have an ISBN, each once with its work: those in one of the languages first, then
    /// the newest. Only found ones are answers.
    ///
    /// - Parameters:
    ///   - number: The number of the work.
    ///   - languages: ISO 639-1, the preferred one first.
    func editions(
        of number: Int64, languages: [String], atMost limit: Int
    ) throws(ETLError) -> BookAnswers {
        let wanted = languages.map { language in
            var language = language
            return language.withUTF8 { EditionSketch.hash(ofLanguage: UnsafeRawBufferPointer($0)) }
        }
        let sketches = try editionsOfWork.values(of: number, limit: Self.editionLimit).map {
            EditionSketch(packed: $0)
        }
        func place(_ sketch: EditionSketch) -> Int { wanted.firstIndex(of: sketch.language) ?? wanted.count }
        let sorted = sketches.enumerated().sorted { a, b in
            let places = (place(a.element), place(b.element))
            if places.0 != places.1 { return places.0 < places.1 }
            let years = (a.element.year ?? 0, b.element.year ?? 0)
            return years.0 != years.1 ? years.0 > years.1 : a.offset < b.offset
        }
        let name = OpenLibraryKey(.work, number).name
        var (answers, records) = (BookAnswers(), Set<String>())
        for sketch in sorted.map(\.element) where answers.answers.count < limit {
            let first = answers.values.count
            try find(key: sketch.isbn, &answers)
            // An ISBN can belong to another work by now, and an edition can have several.
            guard let last = answers.answers.last, last.outcome == .found,
                answers.values[first...].contains(where: {
                    $0.field == .workKey && answers.arena[$0.value] == name
                }),
                records.insert(answers.arena[last.record]).inserted
            else {
                answers.answers.removeLast()
                answers.values.removeSubrange(first...)
                continue
            }
        }
        return answers
    }

    // MARK: By title and author

    private func find(
        _ description: BookDescription, _ arena: Arena, _ answers: inout BookAnswers
    ) throws(ETLError) {
        switch try titles.find(description, in: arena) {
        case .nothing: answers.answers.append(BookAnswer(.notFound))
        case .ambiguous(let options):
            answers.options[answers.answers.count] = options
            answers.answers.append(BookAnswer(.ambiguous))
        case .work(let number, var match):
            let choice = EditionChoice(description, in: arena)
            if match != nil, choice.isPossible {
                if let key = try edition(of: number, choice) {
                    match?.evidence.append(MatchEvidence.editionSame.signed)
                    match?.isOfEdition = true
                    answers.matches[answers.answers.count] = match
                    return try find(key: key, &answers)
                }
                match?.evidence.append(MatchEvidence.editionOpen.signed)
            }
            answers.matches[answers.answers.count] = match
            let first = answers.values.count
            let isValid = try append(work: number, &answers)
            // A work the user once chose may be missing from a newer catalog.
            if !isValid, description.chosen != nil { return answers.answers.append(BookAnswer(.notFound)) }
            finish(first, isValid, false, &answers)
        }
    }

    /// The edition of a work that the row's publication data single out; nil if there is none, or several.
    private func edition(of work: Int64, _ choice: EditionChoice) throws(ETLError) -> Int64? {
        let packed = try editionsOfWork.values(of: work, limit: Self.editionLimit)
        guard packed.count < Self.editionLimit else { return nil }
        let best = choice.best(of: packed.map { EditionSketch(packed: $0) })
        guard !best.isEmpty, best.count <= EditionChoice.readLimit else { return nil }
        var found: (key: Int64, record: String, publisher: EditionChoice.Publisher)?
        for sketch in best {
            guard let (record, publisher) = try imprint(of: sketch.isbn) else { continue }
            let agreement = choice.compare(publisher: publisher)
            guard agreement != .differs, choice.isCertain(sketch, agreement) else { continue }
            // An edition with several ISBNs is found by each of them.
            guard let known = found, known.record != record else {
                if found == nil { found = (sketch.isbn, record, agreement) }
                continue
            }
            if known.publisher == agreement { return nil }
            if agreement == .agrees { found = (sketch.isbn, record, agreement) }
        }
        return found?.key
    }

    /// The key of an edition's record and its publisher.
    private func imprint(of key: Int64) throws(ETLError) -> (record: String, publisher: String)? {
        guard try edition.first(key) else { return nil }
        defer { edition.reset() }
        var (record, publisher) = ("", "")
        edition.withBytes(1) { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                let value = UnsafeRawBufferPointer(rebasing: bytes[range])
                if field == .editionKey { record = String(decoding: value, as: UTF8.self) }
                if field == .publisher { publisher = String(decoding: value, as: UTF8.self) }
            }
        }
        return (record, publisher)
    }
}
