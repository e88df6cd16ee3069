import Books
package import Database
import Formats
import Store
import Syntax
package import System

/// Reads the cells of entries as the export had them.
struct EntryCells {
    /// An entry's cells and their column names.
    struct Cells {
        var formatName: String
        var names: [String]
        var cells: [String]
    }

    private let query: Statement

    init(_ connection: Connection) throws(ETLError) {
        query = try connection.query(
            """
            SELECT e.cells, e.review, y.format, y.columns FROM entries e JOIN layouts y ON y.id = e.layout
            WHERE e.id = ?1
            """)
    }

    /// An entry's cells; nil if there is no such entry.
    func cells(of entry: Int64) throws(ETLError) -> Cells? {
        query.bind(1, entry)
        defer { query.reset() }
        guard try query.next() else { return nil }
        let review = query.string(1)
        return Cells(
            formatName: query.string(2), names: query.withBytes(3) { StoredList.strings($0) },
            cells: query.withBytes(0) { PackedCells.cells($0, keptApart: review) })
    }
}

/// Reads the titles and authors in the users' own rows, whatever a provider says about the book.
///
/// Tables whose columns were given by a mapping (`--map` or a mapping file) have no such title here.
package final class UserCells {
    /// The columns of a layout that may be the title, and those that name the authors.
    private struct Columns {
        var titles: [Int] = []
        var authors: [Int] = []
    }

    private let entry: Statement
    private let layout: Statement
    /// By the layout's row id.
    private var columns: [Int64: Columns] = [:]

    package init(_ store: Connection) throws(ETLError) {
        entry = try store.prepare("SELECT layout, cells FROM entries WHERE id = ?1")
        layout = try store.prepare("SELECT format, columns FROM layouts WHERE id = ?1")
    }

    /// The title of an entry's row without its series; nil if it has none.
    package func title(of id: Int64) throws(ETLError) -> String? {
        entry.bind(1, id)
        defer { entry.reset() }
        guard try entry.next() else { return nil }
        return try title(in: entry, layout: 0, cells: 1)
    }

    /// The title of the entry in a statement's current row.
    ///
    /// - Parameters:
    ///   - layout: The column with the layout's row id.
    ///   - cells: The column with the entry's packed cells.
    package func title(in row: Statement, layout: Int32, cells: Int32) throws(ETLError) -> String? {
        for column in try columns(ofLayout: row.integer(layout)).titles {
            let title = text(of: column, in: row, cells) { cell in
                let parts = SeriesTitle(cell)
                let words = [parts.title, parts.rest].filter { !$0.isEmpty }
                return words.map { String(decoding: cell[$0], as: UTF8.self) }.joined(separator: " ")
            }
            if !title.isEmpty { return title }
        }
        return nil
    }

    /// The authors of the entry in a statement's current row, as the row spells them; nil if it names none.
    package func authors(in row: Statement, layout: Int32, cells: Int32) throws(ETLError) -> String? {
        for column in try columns(ofLayout: row.integer(layout)).authors {
            let authors = text(of: column, in: row, cells) { String(decoding: $0, as: UTF8.self) }
            if !authors.isEmpty { return authors }
        }
        return nil
    }

    /// A cell's text; empty if there is no such cell.
    private func text(
        of column: Int, in row: Statement, _ cells: Int32, _ read: (UnsafeRawBufferPointer) -> String
    ) -> String {
        let text = row.withBytes(cells) { packed in
            PackedCells.range(of: column, in: packed).map {
                read(UnsafeRawBufferPointer(rebasing: packed[$0]))
            } ?? ""
        }
        // Cells are stored as they are, and some files write characters as in HTML: `Tom &amp; Jerry`.
        return HTMLReferences.resolved(text.utf8).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    private func columns(ofLayout id: Int64) throws(ETLError) -> Columns {
        if let known = columns[id] { return known }
        layout.bind(1, id)
        defer { layout.reset() }
        var found = Columns()
        if try layout.next(), let format = try? LibraryFormats.named(layout.string(0)) {
            let header = HeaderNames(layout.withBytes(1) { StoredList.strings($0) })
            let fields = format.fields(header)
            found = Columns(
                titles: format.userTitles(header),
                authors: [.author, .authorLastFirst, .contributors].compactMap { fields[$0] })
        }
        columns[id] = found
        return found
    }
}
