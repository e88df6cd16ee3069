import Database
import Formats
import Store
import System

/// The columns of the files that entries came from, each read once.
final class EntryLayouts {
    struct Layout {
        var formatName = ""
        var names: [String] = []
        /// Reader of rows; nil if only a mapping file knows the columns.
        var reader: EntryRowReader?
    }

    private let read: Statement
    private var known: [Int64: Layout] = [:]

    init(_ connection: Connection) throws(ETLError) {
        read = try connection.query("SELECT format, columns FROM layouts WHERE id = ?1")
    }

    /// The layout with this row id; an empty one if no layout has it.
    func layout(_ id: Int64) throws(ETLError) -> Layout {
        if let layout = known[id] { return layout }
        read.bind(1, id)
        defer { read.reset() }
        var layout = Layout()
        if try read.next() {
            layout.formatName = read.string(0)
            layout.names = read.withBytes(1) { StoredList.strings($0) }
            layout.reader = EntryRowReader(formatName: layout.formatName, names: layout.names)
        }
        known[id] = layout
        return layout
    }
}
