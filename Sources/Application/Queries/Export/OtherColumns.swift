import Books
import Bytes
import Database
import Formats
import Store
import Syntax
import System

/// The columns of imported files that an export of books has no column for, such as where a copy was bought or
/// a column that only the file's owner understands. They are written under their own names.
final class OtherColumns {
    /// The columns of a layout that are written: their positions and names.
    private typealias Columns = [(index: Int, name: String)]

    private let layouts: EntryLayouts
    private let entry: Statement
    private let used: Statement
    /// The names of the export's columns, which no other column can have.
    private let taken: Set<String>
    private var known: [Int64: Columns] = [:]

    /// The fields that an export of books has no column for.
    private static let fields: Set<LibraryField> = [
        .shelfPositions, .spoiler, .recommendedFor, .recommendedBy, .purchaseDate, .purchaseLocation,
        .conditionDescription, .bcid, .oclcNumber, .lccn, .asin, .libraryThingWork, .goodreadsBook,
        .openLibraryEdition,
    ]

    /// - Parameter names: The names of the export's columns.
    init(_ connection: Connection, besides names: [String]) throws(ETLError) {
        layouts = try EntryLayouts(connection)
        entry = try connection.query("SELECT layout, cells, review FROM entries WHERE id = ?1")
        used = try connection.query(
            "SELECT DISTINCT layout FROM entries WHERE ?1 IS NULL OR library = ?1 ORDER BY layout")
        taken = Set(names)
    }

    /// The names of the columns of a library's files, or of those of all libraries.
    func names(in library: String?, _ connection: Connection) throws(ETLError) -> [String] {
        used.bind(
            1, try library.map { (name) throws(ETLError) in try LibraryNames(connection).id(of: name) })
        defer { used.reset() }
        var names: [String] = []
        while try used.next() { names += try columns(of: used.integer(0)).map(\.name) }
        return names.deduplicated
    }

    /// The values of an entry's columns, in the order of its file, without empty ones.
    func values(of id: Int64) throws(ETLError) -> [(name: String, text: String)] {
        entry.bind(1, id)
        defer { entry.reset() }
        guard try entry.next() else { return [] }
        let columns = try columns(of: entry.integer(0))
        guard !columns.isEmpty else { return [] }
        let review = entry.string(2)
        let cells = entry.withBytes(1) { PackedCells.cells($0, keptApart: review) }
        return columns.compactMap { column in
            guard cells.indices.contains(column.index), !cells[column.index].isEmpty else { return nil }
            return (column.name, cells[column.index])
        }
    }

    /// Writes the values as an object `otherColumns`.
    func write(_ id: Int64, into out: inout JSONWriter) throws(ETLError) {
        let values = try values(of: id)
        out.key("otherColumns")
        out.object { out in
            for value in values {
                out.key(value.name)
                out.string(value.text)
            }
        }
    }

    private func columns(of id: Int64) throws(ETLError) -> Columns {
        if let columns = known[id] { return columns }
        let layout = try layouts.layout(id)
        let fields = layout.reader?.cells.map(\.field) ?? []
        var columns: Columns = []
        for (index, name) in layout.names.enumerated() {
            if fields.indices.contains(index), let field = fields[index], !Self.fields.contains(field) {
                continue
            }
            columns.append((index, taken.contains(name) ? "\(name) (file)" : name))
        }
        known[id] = columns
        return columns
    }
}
