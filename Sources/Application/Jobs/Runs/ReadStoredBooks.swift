import Books
import Bytes
import Formats
import Pipeline
import Queries
import Store
import System

/// The source of `batch_enrichment`: reads the books of a refresh's queue (``RefreshQueue``).
///
/// The position of a record is its number in the job, with the rows of its edition and entry in place of byte and line. A run
/// that continues a job numbers on from the last one; which books are left is known from the store.
struct ReadStoredBooks: Source {
    let store: ResultsStore
    let layouts: StoredLayouts
    var batchLimits: BatchLimits
    /// Whether to read no more books, because the run's budget is spent or no service answers.
    let isEnding: @Sendable () async -> Bool

    func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(recordCount: nil, fingerprints: [])
    }

    func read(from position: Position, into emitter: Emitter<LibraryRows>) async throws(ETLError) {
        var record = position.record
        var last: RefreshQueue.StoredBook?
        while await !isEnding() {
            let books = try await store.queuedBooks(
                after: last, atMost: batchLimits.records, bytes: batchLimits.bytes)
            guard let end = books.last else { return }
            last = end
            var rest = books[...]
            while let first = rest.first {
                let alike = rest.prefix { $0.layout == first.layout }
                rest = rest.dropFirst(alike.count)
                let cells = try layouts.cells(of: first.layout)
                var rows = cells.rows
                var place = Position.start
                for book in alike {
                    record += 1
                    place = Position(byte: book.edition, line: Int(book.entry), record: record)
                    var row = cells.row(book.cells, at: place, in: &rows)
                    // They were accepted when they were imported.
                    (row.refusal, row.warnings) = (nil, [])
                    if let isbn = book.isbn { rows.correct(isbn: isbn, of: &row) }
                    rows.rows.append(row)
                }
                guard await emitter.emit(rows, end: place, recordsRead: alike.count) else { return }
            }
        }
    }
}

extension LibraryRows {
    /// Replaces the ISBNs of a row; 0 for none.
    fileprivate mutating func correct(isbn: Int64, of row: inout LibraryRow) {
        let text = isbn == 0 ? Text.none : arena.append("\(isbn)")
        for (field, value) in [(LibraryField.isbn13, text), (.isbn10, .none), (.isbns, .none)] {
            read(field, as: value, of: &row)
        }
    }
}

/// Layouts of a store's entries: the columns that the user chose when they were imported.
struct StoredLayouts: Sendable {
    /// The settings of each import with a choice of columns, the newest first, with the name of its format.
    private var chosen: [(formatName: String, reading: ReadSettings)] = []

    /// No imports.
    init() {}

    /// The layouts of a store's jobs. A mapping file that is gone is passed over.
    init(_ jobs: [Job]) {
        for job in jobs {
            guard let options = job.options, let formatName = job.formatName else { continue }
            let words = [JobOptions.Option.map, .mapping].compactMap { option in
                options[option]?.first.map { (key: option.rawValue, word: $0) }
            }
            var reading = ReadSettings(files: [])
            guard !words.isEmpty || options.rules != nil, (try? reading.take(words: words)) != nil else {
                continue
            }
            reading.rules = options.rules.flatMap { try? MappingRules($0) }
            chosen.append((formatName, reading))
        }
    }

    /// What reads records of a layout.
    func cells(of layout: CorrectedRow.Layout) throws(ETLError) -> StoredRecords {
        let header = HeaderNames(layout.names)
        let own = chosen.first {
            $0.formatName == layout.formatName && $0.reading.columns.columns(in: header) != nil
        }
        // The day is not used: dates belong to the entry, which does not change.
        if let own { return try StoredRecords(layout, own.reading, dateOrder: .dayFirst) }
        let isKnown = LibraryFormats.all.contains { $0.name == layout.formatName }
        let known =
            isKnown ? layout : CorrectedRow.Layout(formatName: Generic().name, names: layout.names)
        return try StoredRecords(known, ReadSettings(files: []), dateOrder: .dayFirst)
    }
}
