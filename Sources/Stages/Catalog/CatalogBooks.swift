/// The catalog's look-ups of books: an edition with its work and authors by ISBN, a work by title and author.
final class CatalogBooks {
    /// Works that one key of title and author may name; beyond it nothing can be told apart.
    static let workLimit = 64

    private let edition: Statement
    private let work: Statement
    private let title: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        // One statement for both descents: starting and ending one costs as much as half a descent.
        edition = try connection.prepare(
            "SELECT e.work, e.body, w.body FROM edition e LEFT JOIN work w ON w.id = e.work WHERE e.isbn = ?")
        work = try connection.prepare("SELECT body FROM work WHERE id = ?")
        title = try connection.prepare(
            """
            SELECT t.mark, t.work, w.editions FROM title t JOIN work w ON w.id = t.work
            WHERE t.key = ? ORDER BY t.work LIMIT \(Self.workLimit + 1)
            """)
    }

    func answer(_ questions: BookQuestions) throws(SQLiteError) -> BookAnswers {
        var answers = BookAnswers(arena: Arena(capacity: questions.questions.count * 512))
        answers.answers.reserveCapacity(questions.questions.count)
        answers.values.reserveCapacity(questions.questions.count * 16)
        for question in questions.questions {
            switch question {
            case .isbn(let isbn):
                try find(isbn, &answers)
            case .titleAuthor(let title, let author):
                try find(title, author, questions.arena, &answers)
            }
        }
        return answers
    }

    // MARK: By ISBN

    @inline(__always)
    private func find(_ isbn: ISBN, _ answers: inout BookAnswers) throws(SQLiteError) {
        edition.bind(1, isbn.value)
        guard try edition.step() else {
            answers.answers.append(BookAnswer(.notFound))
            return
        }
        let first = answers.values.count
        let number = edition.integer(0)
        var isWhole = edition.withBytes(1) {
            PackedRecord.decode($0, into: &answers.arena, values: &answers.values)
        }
        // Without a work of its own in the catalog an edition may still name one.
        let isSynthetic = number == 0 && !answers.values[first...].contains { $0.field == .workKey }
        if number != 0 {
            let hasWork = edition.withBytes(2) {
                PackedRecord.decode($0, into: &answers.arena, values: &answers.values)
            }
            isWhole = isWhole && hasWork
        }
        edition.reset()
        finish(first, isWhole, isSynthetic, &answers)
    }

    private func append(work number: Int64, _ answers: inout BookAnswers) throws(SQLiteError) -> Bool {
        work.bind(1, number)
        guard try work.step() else { return false }
        defer { work.reset() }
        return work.withBytes(0) { PackedRecord.decode($0, into: &answers.arena, values: &answers.values) }
    }

    private func finish(_ first: Int, _ isWhole: Bool, _ isSynthetic: Bool, _ answers: inout BookAnswers) {
        guard isWhole, first < answers.values.count else {
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

    /// Appends a work as an answer, with one of its editions where an ISBN is given.
    func append(work number: Int64, isbn: Int64?, to answers: inout BookAnswers) throws(SQLiteError) {
        if let isbn = isbn.flatMap({ ISBN(String($0)) }) { return try find(isbn, &answers) }
        let first = answers.values.count
        let isWhole = try append(work: number, &answers)
        finish(first, isWhole, false, &answers)
    }

    // MARK: By title and author

    private func find(
        _ title: Text, _ author: Text, _ arena: Arena, _ answers: inout BookAnswers
    ) throws(SQLiteError) {
        guard let name = arena.withBytes(author, { FoldedHash.name($0) }) else {
            answers.answers.append(BookAnswer(.notFound))
            return
        }
        // The whole title first; without the subtitle behind a colon only where that finds nothing.
        let (whole, short) = arena.withBytes(title) { bytes in
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            return (
                FoldedHash.title(bytes),
                colon.flatMap { FoldedHash.title(UnsafeRawBufferPointer(rebasing: bytes[..<$0])) }
            )
        }
        for part in [whole, short] {
            guard let part else { continue }
            switch try bestWork(TitleKey(title: part, author: name)) {
            case .none: continue
            case .several: answers.answers.append(BookAnswer(.ambiguous))
            case .one(let number):
                let first = answers.values.count
                let isWhole = try append(work: number, &answers)
                finish(first, isWhole, false, &answers)
            }
            return
        }
        answers.answers.append(BookAnswer(.notFound))
    }

    private enum Best {
        case none, several
        case one(Int64)
    }

    /// Of the works that a key names the one that stands highest: found by the better form of its title, then
    /// with more editions. Equal standing is no answer.
    private func bestWork(_ key: TitleKey) throws(SQLiteError) -> Best {
        title.bind(1, key.key)
        defer { title.reset() }
        var best = Best.none
        var standing: (rank: Int64, editions: Int64) = (.max, 0)
        var seen = 0
        while try title.step() {
            seen += 1
            let mark = title.integer(0)
            guard mark >> 2 == key.check else { continue }
            let rank = mark & 3
            let editions = title.integer(2)
            if rank < standing.rank || rank == standing.rank && editions > standing.editions {
                best = .one(title.integer(1))
                standing = (rank, editions)
            } else if rank == standing.rank, editions == standing.editions {
                best = .several
            }
        }
        return seen > Self.workLimit ? .several : best
    }
}
