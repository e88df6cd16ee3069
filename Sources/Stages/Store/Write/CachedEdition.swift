import Books
import Bytes
import Database
import Pipeline

/// A stored edition as it is kept in memory. ``StoredEdition`` is its decoded form.
struct CachedEdition: CachedRow {
    /// The columns of ``EditionColumns``, then those of ``Place``.
    let texts: PackedRow
    let isbn: Int64?
    let quality: Int64
    var work: Int64
    let lineage: LineageFields
    /// Whether all numbers are written as SQLite writes them.
    let hasPlainNumbers: Bool

    /// Columns of `texts` after those of ``EditionColumns``.
    enum Place: Int {
        case providers, lineage

        static let count = 2
        var index: Int { EditionColumns.count + rawValue }
    }

    /// The columns that are read and updated.
    static let columns = EditionColumns.names + ["providers", "lineage", "isbn", "quality", "work"]

    var byteCount: Int { texts.byteCount }

    /// The ISBN-13s and ISBN-10s.
    var isbns: [String] { texts.withColumns { StoredList.strings($0[EditionColumns.isbns]) } }

    /// The source of a field's value; nil if it is unknown.
    func source(of field: Field) -> Lineage.Source? {
        texts.withColumns { Lineage(decoding: $0[Place.lineage.index]) }.origin(of: field)?.source
    }

    /// The current row of a statement with ``columns``.
    init(_ read: Statement) {
        let count = EditionColumns.count + Place.count
        texts = PackedRow(read, columns: count)
        let next = Int32(count)
        (isbn, quality, work) = (
            read.optionalInteger(next), read.integer(next + 1), read.integer(next + 2)
        )
        lineage = texts.withColumns { LineageFields(stored: $0[Place.lineage.index]) }
        hasPlainNumbers = true
    }

    init(_ edition: StoredEdition) {
        (texts, hasPlainNumbers) = edition.row.packed(
            isNumber: EditionColumns.isNumber, isReal: EditionColumns.isReal, followedBy: Place.count
        ) { column, bytes in
            switch Place(rawValue: column) {
            case .providers: bytes.append(contentsOf: (StoredList.stored(edition.providers) ?? "").utf8)
            case .lineage: bytes.append(contentsOf: edition.row.lineage.encoded())
            case nil: break
            }
        }
        (isbn, quality, work) = (edition.isbn, edition.quality, edition.work)
        lineage = texts.withColumns { LineageFields(stored: $0[Place.lineage.index]) }
    }

    /// Binds ``columns``.
    func bind(to update: Statement, from first: Int32, _ texts: PackedRow.Columns) {
        var row = BoundRow(update, from: first)
        for column in 0..<EditionColumns.count { row.add(text: texts[column]) }
        row.add(text: texts[Place.providers.index])
        row.add(blob: texts[Place.lineage.index])
        row.add(isbn)
        row.add(quality)
        row.add(work)
    }
}

/// A stored edition that is being updated.
struct StoredEdition {
    var row: StoredRow
    var isbn: Int64?
    var providers: [String]
    var quality: Int64
    var work: Int64

    init(_ edition: CachedEdition) {
        (row, providers) = edition.texts.withColumns { texts in
            (
                StoredRow(
                    fields: EditionColumns.fields, edition.texts,
                    lineage: Lineage(decoding: texts[CachedEdition.Place.lineage.index])),
                StoredList.strings(texts[CachedEdition.Place.providers.index])
            )
        }
        (isbn, quality, work) = (edition.isbn, edition.quality, edition.work)
    }
}

extension EditionColumns {
    /// The column that lists all ISBNs.
    package static let isbns = Int(index[Int(Field.isbn13.rawValue)])
    package static let averageRating = Int(index[Int(Field.averageRating.rawValue)])
}

/// The ISBNs of an edition as stored: all ISBN-13s, then the ISBN-10s.
enum ISBNList {
    /// The ISBNs of both lists, those of the first list first.
    static func union(_ first: String, _ second: String) -> String {
        let all = StoredList.strings(StoredList.union(first, second) ?? "")
        return StoredList.stored(all.filter { $0.utf8.count == 13 } + all.filter { $0.utf8.count != 13 })
            ?? ""
    }
}
