import Books
import Bytes
import Database
import Pipeline
import Syntax

/// The columns of imported files that an export of books has no column for, such as the condition of a copy or
/// a column that only the file's owner understands. They are written under their own names.
final class OtherColumns {
    /// The columns of a layout: their positions and names.
    private typealias Layout = [(index: Int, name: String)]

    private let layout: Statement
    private let entry: Statement
    private let layouts: Statement
    /// The names of the export's columns, which no other column can have.
    private let taken: Set<String>
    private var known: [Int64: Layout] = [:]

    /// The fields that an export of books has no column for.
    private static let fields: Set<LibraryField> = [
        .shelfPositions, .spoiler, .recommendedFor, .recommendedBy, .purchaseDate, .purchaseLocation,
        .condition,
        .conditionDescription, .bcid, .oclcNumber, .lccn, .asin, .libraryThingWork, .goodreadsBook,
        .openLibraryEdition,
    ]

    /// - Parameter names: The names of the export's columns.
    init(_ connection: Connection, besides names: [String]) throws(StageFailure) {
        layout = try connection.query("SELECT profile, columns FROM layouts WHERE id = ?1")
        entry = try connection.query("SELECT layout, cells, review FROM entries WHERE id = ?1")
        layouts = try connection.query(
            "SELECT DISTINCT layout FROM entries WHERE ?1 IS NULL OR library = ?1 ORDER BY layout")
        taken = Set(names)
    }

    /// The names of the columns of a library's files, or of those of all libraries.
    func names(in library: String?, _ connection: Connection) throws(StageFailure) -> [String] {
        layouts.bind(
            1, try library.map { (name) throws(StageFailure) in try LibraryNames(connection).id(of: name) })
        defer { layouts.reset() }
        var names: [String] = []
        while try layouts.next() { names += try columns(of: layouts.integer(0)).map(\.name) }
        return names.deduplicated
    }

    /// The values of an entry's columns, in the order of its file, without empty ones.
    func values(of id: Int64) throws(StageFailure) -> [(name: String, text: String)] {
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
    func write(_ id: Int64, into out: inout JSONWriter) throws(StageFailure) {
        let values = try values(of: id)
        out.key("otherColumns")
        out.object { out in
            for value in values {
                out.key(value.name)
                out.string(value.text)
            }
        }
    }

    private func columns(of id: Int64) throws(StageFailure) -> Layout {
        if let columns = known[id] { return columns }
        layout.bind(1, id)
        defer { layout.reset() }
        var columns: Layout = []
        if try layout.next() {
            let names = layout.withBytes(1) { StoredList.strings($0) }
            // Only the file of its mapping knows the fields of a format that is not built in.
            let fields = EntryRowReader(formatName: layout.string(0), names: names)?.cells.map(\.field) ?? []
            for (index, name) in names.enumerated() {
                if fields.indices.contains(index), let field = fields[index], !Self.fields.contains(field) {
                    continue
                }
                columns.append((index, taken.contains(name) ? "\(name) (file)" : name))
            }
        }
        known[id] = columns
        return columns
    }
}
