package import Books
import Bytes
import Syntax

/// The CSV that `etl export --to csv` writes.
///
/// The work's `id` may occur in several rows. Therefore an entry is identified by its origin,
/// `library/format/sourceId`. An entry that was itself imported from a spreadsheet already has its format
/// in `sourceId`. ``KeyComposer`` removes the name of the library that is imported into, so that a library's
/// spreadsheet can be imported into the same library.
///
/// Cells are used unchanged, because they were interpreted at the first import. A subtitle is part of the
/// title, as in a row of an export. Columns that an export of books adds (descriptions, covers) are
/// stored unchanged but not imported; a lookup finds their values again.
package struct EtlSpreadsheet: TabularFormat {
    package let name = "etl"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        removeGuards(&row, in: &rows)
        row.title = title(of: row, in: &rows)
        row.series = rows.series.count..<rows.series.count
        readSeries(of: &row, in: &rows)
        row.people = rows.people.count..<rows.people.count
        rows.readOwnNames(authors(of: row, in: &rows), in: .author, of: &row)
        rows.readOwnNames(rows.cell(.contributors, of: row), in: .contributors, of: &row)
        readSubjects(of: &row, in: &rows)
        rows.readFormat(of: &row)
        readISBNs(of: &row, in: &rows)
        readWork(of: &row, in: &rows)
        readSource(of: &row, in: &rows)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
    }

    /// The cell of a column that is not a ``LibraryField``; none if there is no such column.
    /// Names of columns in exports of earlier builds: a store of an earlier version is carried over by an export.
    private static let earlierNames = [
        "sourceFormat": "profile", "userTitle": "readerTitle", "userAuthors": "readerAuthors",
    ]

    private func cell(_ column: String, of row: LibraryRow, in rows: LibraryRows) -> Text {
        let names = rows.columns.names
        let index = names.firstIndex(of: column) ?? Self.earlierNames[column].flatMap(names.firstIndex(of:))
        return index.map { rows.cell(column: $0, of: row) } ?? .none
    }

    /// Removes the apostrophes that `--csv-safe` puts before cells, if the row says that it has them.
    private func removeGuards(_ row: inout LibraryRow, in rows: inout LibraryRows) {
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

    /// The title with its subtitle. If the user's own title continues this title, it is used instead: someone
    /// who corrects a title edits the first title column.
    private func title(of row: LibraryRow, in rows: inout LibraryRows) -> Text {
        let title = rows.arena.collapsingBlanks(rows.cell(.title, of: row))
        let subtitle = rows.arena.collapsingBlanks(cell("subtitle", of: row, in: rows))
        let titles = rows.arena.collapsingBlanks(cell("userTitle", of: row, in: rows))
        let folded = Folding.fold(rows.arena[title])
        if !titles.isEmpty, !folded.isEmpty, Folding.fold(rows.arena[titles]).hasPrefix(folded + " ") {
            return titles
        }
        guard !subtitle.isEmpty, !title.isEmpty else { return title }
        return rows.arena.append("\(rows.arena[title]): \(rows.arena[subtitle])")
    }

    /// Parses `Earthsea Cycle #1; Earthsea #1`.
    private func readSeries(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.cell(.series, of: row)
        guard !cell.isEmpty else { return }
        for part in rows.arena[cell].split(separator: "; ") {
            let mark = part.ranges(of: " #").last
            let name = rows.arena.collapsingBlanks(
                rows.arena.append(String(mark.map { part[..<$0.lowerBound] } ?? part)))
            guard !name.isEmpty else { continue }
            let number = mark.map { rows.arena.append(String(part[$0.upperBound...])) } ?? .none
            rows.series.append(SeriesMention(name: name, number: number))
        }
        row.series = row.series.lowerBound..<rows.series.count
    }

    /// Collects the row's other ISBNs, because a spreadsheet may turn the ISBN-13 into a number and save it
    /// as `9,78E+12`. They are the edition's list and the ISBN in the edition's key, `isbn:9780306406157`.
    /// The work's key may belong to another edition, so it is used only if the edition's key is missing.
    private func readISBNs(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let edition = cell("editionId", of: row, in: rows)
        let key = edition.isEmpty ? rows.cell(.openLibraryWork, of: row) : edition
        let start = "isbn:".utf8
        guard rows.arena.withBytes(key, { $0.starts(with: start) }) else { return }
        let list = rows.arena.bytes(rows.cell(.isbns, of: row))
        let number = rows.arena.bytes(key.part(start.count..<Int(key.length)))
        rows.read(.isbns, as: rows.arena.append(list + [UInt8(ascii: ";")] + number), of: &row)
    }

    /// Keeps Open Library's key, `ol:OL59798W`, only if the row has neither title nor ISBN. Otherwise all
    /// editions of a work would get the same title.
    private func readWork(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let key = rows.cell(.openLibraryWork, of: row)
        guard !key.isEmpty else { return }
        let isNeeded = row.title.isEmpty && rows.cell(.isbn13, of: row).isEmpty
        let isOpenLibrarys = isNeeded && rows.arena.withBytes(key) { $0.starts(with: "ol:".utf8) }
        rows.read(.openLibraryWork, as: isOpenLibrarys ? key.part(3..<Int(key.length)) : .none, of: &row)
    }

    /// The authors without those who have another role. An export shows all people as authors if there is no author.
    private func authors(of row: LibraryRow, in rows: inout LibraryRows) -> Text {
        let authors = rows.cell(.author, of: row)
        let contributors = rows.cell(.contributors, of: row)
        guard !contributors.isEmpty else { return authors }
        let helpers = Set(
            rows.arena[contributors].split(separator: ";").map { person in
                String(person.prefix(upTo: person.lastIndex(of: "(") ?? person.endIndex)).trimming(.spaces)
            })
        let names = rows.arena[authors].split(separator: ";").filter {
            !helpers.contains($0.trimming(.spaces))
        }
        return rows.arena.append(names.joined(separator: ";"))
    }

    /// Adds the genres to the subjects, which an export has in a column of their own. Genres that are among the
    /// subjects are not added again.
    private func readSubjects(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let subjects = cell("subjects", of: row, in: rows)
        guard !subjects.isEmpty else { return }
        func parts(_ cell: Text) -> [String] { rows.arena[cell].split(separator: "; ").map(String.init) }
        let listed = parts(subjects)
        let known = Set(listed.map { Folding.fold($0) })
        let genres = parts(rows.cell(.subjects, of: row)).filter { !known.contains(Folding.fold($0)) }
        rows.read(.subjects, as: rows.arena.append((listed + genres).joined(separator: "; ")), of: &row)
    }

    private func readSource(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let id = rows.cell(.sourceID, of: row)
        guard !id.isEmpty else { return }
        let slash = [UInt8(ascii: "/")]
        let library = rows.arena.bytes(cell("library", of: row, in: rows))
        let formatName = rows.arena.bytes(cell("sourceFormat", of: row, in: rows))
        var origin = library.isEmpty ? [] : library + slash
        if !formatName.isEmpty, !formatName.elementsEqual(name.utf8) { origin += formatName + slash }
        rows.read(.sourceID, as: rows.arena.append(origin + rows.arena.bytes(id)), of: &row)
    }

    /// The sheet has separate columns for the user's own title and the book's.
    package func userTitles(_ header: HeaderNames) -> [Int] {
        [header.column(["usertitle", "readertitle"]), header.column(["title"])].compactMap(\.self)
    }

    /// Origin of an entry, match of its book, and the services' values of the book.
    package var ownColumns: Set<String> { Self.own }

    private static let own = Set(
        columns.described.filter { $0.field == nil }.flatMap(\.names)
            + (earlierNames.values + [FormulaGuard.column]).map(HeaderNames.key)
    )

    package static let columns = FormatColumns(
        [
            .common(.openLibraryWork, "id"), .distinctive(nil, "editionid"), .common(.isbn13, "isbn13"),
            .common(.isbns, "isbns"),
            .common(.title, "title"), .common(.author, "authors"), .common(.series, "series"),
            .common(.publisher, "publisher"), .common(.yearPublished, "publisheddate"),
            .common(.originalYear, "firstpublicationyear"), .common(.pageCount, "pagecount"),
            .common(.binding, "format"), .common(.language, "language"), .common(.subjects, "categories"),
            .common(.averageRating, "averagerating"), .distinctive(nil, "reviewstatus"),
            .distinctive(nil, "isbndbquality"), .distinctive(nil, "sourceformat"),
            .distinctive(.sourceID, "sourceid"),
            .common(.rating, "rating"), .common(.exclusiveShelf, "shelf"), .common(.shelves, "shelves"),
            .common(.dateRead, "dateread"), .common(.dateAdded, "dateadded"),
            .common(.dateStarted, "datestarted"), .common(.earlierReadings, "earlierreadings"),
            .common(.contributors, "contributors"), .common(.originalLanguage, "originallanguage"),
            .common(.readCount, "readcount"),
            .common(.ownedCopies, "ownedcopies"), .common(.review, "review"), .common(.privateNotes, "notes"),
            .common(.location, "location"), .common(.lentTo, "lentto"), .common(.price, "price"),
            .common(.condition, "condition"), .common(.barcode, "barcode"),
        ],
        unmapped: ["description", "coverurl", "ratingscount", "matchscore", "userauthors"],
        combined: ["editionid", "sourceformat", "library", "subtitle", "worktitle", "usertitle", "subjects"])
}
