import Bytes
import Syntax

/// What `etl export --format csv` writes, read back.
///
/// Several rows may share the work's `id`: an entry is known by where it comes from, `library/profile/sourceId`. One
/// that came by a spreadsheet has its profile in `sourceId` already; what the library that it goes into is called is
/// left out again (``KeyComposer``), so that the spreadsheet of a library can be given back to it. Cells are taken as
/// they stand: they were put into words when they first came. A subtitle is part of the title, as in a row of a reader's.
/// What an export tells and no such row can (descriptions, covers) is carried along; a look-up finds it again.
package struct EtlSpreadsheet: TabularFormat {
    package let name = "etl"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        takeGuardsOff(&row, in: &rows)
        row.title = title(of: row, in: &rows)
        row.series = rows.series.count..<rows.series.count
        readSeries(of: &row, in: &rows)
        row.people = rows.people.count..<rows.people.count
        rows.readNames(
            rows.cell(.author, of: row), in: .author, separator: UInt8(ascii: ";"), inverts: false, of: &row)
        rows.readFormat(of: &row)
        readISBNs(of: &row, in: &rows)
        readWork(of: &row, in: &rows)
        readSource(of: &row, in: &rows)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
    }

    /// The cell of a column that is no reader's field; none where there is no such column.
    private func cell(_ column: String, of row: LibraryRow, in rows: LibraryRows) -> Text {
        rows.columns.names.firstIndex(of: column).map { rows.cell(column: $0, of: row) } ?? .none
    }

    /// Takes off the apostrophes that `--csv-safe` has put before cells, in a row that says that it has them.
    private func takeGuardsOff(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        guard let column = rows.columns.names.lastIndex(of: FormulaGuard.column),
            rows.arena.withBytes(
                rows.cell(column: column, of: row), { FormulaGuard.isMark($0) })
        else { return }
        for index in row.cells {
            let cell = rows.cells[index]
            if rows.arena.withBytes(cell, { FormulaGuard.isGuarded($0) }) {
                rows.cells[index] = cell.part(1..<Int(cell.length))
            }
        }
    }

    /// The title with its subtitle: as the reader's own row had it where that only goes on where the title ends, for
    /// whoever corrects a title corrects the one that stands first.
    private func title(of row: LibraryRow, in rows: inout LibraryRows) -> Text {
        let title = rows.arena.folded(rows.cell(.title, of: row))
        let subtitle = rows.arena.folded(cell("subtitle", of: row, in: rows))
        let readers = rows.arena.folded(cell("readerTitle", of: row, in: rows))
        let folded = Folding.fold(rows.arena[title])
        if !readers.isEmpty, !folded.isEmpty, Folding.fold(rows.arena[readers]).hasPrefix(folded + " ") {
            return readers
        }
        guard !subtitle.isEmpty, !title.isEmpty else { return title }
        return rows.arena.append("\(rows.arena[title]): \(rows.arena[subtitle])")
    }

    /// `Earthsea Cycle #1; Earthsea #1`.
    private func readSeries(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.cell(.series, of: row)
        guard !cell.isEmpty else { return }
        for part in rows.arena[cell].split(separator: "; ") {
            let mark = part.ranges(of: " #").last
            let name = rows.arena.folded(
                rows.arena.append(String(mark.map { part[..<$0.lowerBound] } ?? part)))
            guard !name.isEmpty else { continue }
            let number = mark.map { rows.arena.append(String(part[$0.upperBound...])) } ?? .none
            rows.series.append(SeriesMention(name: name, number: number))
        }
        row.series = row.series.lowerBound..<rows.series.count
    }

    /// The ISBNs that the row tells beside its ISBN-13, which a spreadsheet takes for a number and saves as `9,78E+12`:
    /// the edition's own list, and what its key was made of, `isbn:9780306406157`. The work's key may be that of another
    /// edition, and is asked where the edition's is gone.
    private func readISBNs(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let edition = cell("editionId", of: row, in: rows)
        let key = edition.isEmpty ? rows.cell(.openLibraryWork, of: row) : edition
        let start = "isbn:".utf8
        guard rows.arena.withBytes(key, { $0.starts(with: start) }) else { return }
        let list = rows.arena.bytes(rows.cell(.isbns, of: row))
        let number = rows.arena.bytes(key.part(start.count..<Int(key.length)))
        rows.read(.isbns, as: rows.arena.append(list + [UInt8(ascii: ";")] + number), of: &row)
    }

    /// Open Library's key, `ol:OL59798W`, where the row has nothing else to know the book by. Elsewhere it would give
    /// all editions of a work one title.
    private func readWork(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let key = rows.cell(.openLibraryWork, of: row)
        guard !key.isEmpty else { return }
        let isNeeded = row.title.isEmpty && rows.cell(.isbn13, of: row).isEmpty
        let isOpenLibrarys = isNeeded && rows.arena.withBytes(key) { $0.starts(with: "ol:".utf8) }
        rows.read(.openLibraryWork, as: isOpenLibrarys ? key.part(3..<Int(key.length)) : .none, of: &row)
    }

    private func readSource(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let id = rows.cell(.sourceID, of: row)
        guard !id.isEmpty else { return }
        let slash = [UInt8(ascii: "/")]
        let library = rows.arena.bytes(cell("library", of: row, in: rows))
        let profile = rows.arena.bytes(cell("profile", of: row, in: rows))
        var origin = library.isEmpty ? [] : library + slash
        if !profile.isEmpty, !profile.elementsEqual(name.utf8) { origin += profile + slash }
        rows.read(.sourceID, as: rows.arena.append(origin + rows.arena.bytes(id)), of: &row)
    }

    /// Whoever wrote the sheet told the reader's own title apart from the book's.
    package func readersTitles(_ header: HeaderNames) -> [Int] {
        [header.column(["readertitle"]), header.column(["title"])].compactMap(\.self)
    }

    package static let columns = ProfileColumns([
        .common(.openLibraryWork, "id"), .distinctive(nil, "editionid"), .common(.isbn13, "isbn13"),
        .common(.isbns, "isbns"),
        .common(.title, "title"), .common(.author, "authors"), .common(.series, "series"),
        .common(.publisher, "publisher"), .common(.yearPublished, "publisheddate"),
        .common(.originalYear, "firstpublicationyear"), .common(.pageCount, "pagecount"),
        .common(.binding, "format"), .common(.language, "language"), .common(.subjects, "categories"),
        .common(.averageRating, "averagerating"), .distinctive(nil, "reviewstatus"),
        .distinctive(nil, "isbndbquality"), .distinctive(nil, "profile"), .distinctive(.sourceID, "sourceid"),
        .common(.rating, "rating"), .common(.exclusiveShelf, "shelf"), .common(.shelves, "shelves"),
        .common(.dateRead, "dateread"), .common(.dateAdded, "dateadded"), .common(.readCount, "readcount"),
        .common(.ownedCopies, "ownedcopies"), .common(.review, "review"), .common(.privateNotes, "notes"),
    ])
}
