import Database
import Syntax
import System

/// Composes rows of an export, given by their ids, in its format.
///
/// In an array a comma precedes each row, also the first; the caller replaces that one by the bracket.
final class ExportComposer {
    /// The composed content.
    struct Content: Sendable {
        let table: ExportTable
        let format: Export.Format
        /// The names of further columns (``OtherColumns``); nil if there are none.
        let others: [String]?
        let guardsFormulas: Bool
        /// The cell that tells an import that apostrophes were added, which it removes; nil for none.
        let mark: String?
    }

    /// Some rows, composed.
    struct Piece: Sendable {
        var bytes: [UInt8]
        var count: Int
        /// The ids that follow. Not empty if the rows are long.
        var rest: ArraySlice<Int64>
    }

    private let content: Content
    private let row: ExportRow
    private let others: OtherColumns?
    private var csv: CSVWriter
    private var json = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)

    init(_ content: Content, in connection: Connection) throws(ETLError) {
        self.content = content
        row = try ExportRow(content.table, in: connection)
        others = content.others == nil ? nil : try OtherColumns(connection, besides: content.table.names)
        csv = CSVWriter(guardsFormulas: content.guardsFormulas)
    }

    /// Composes rows until there are enough bytes to write.
    func compose(_ ids: ArraySlice<Int64>) throws(ETLError) -> Piece {
        content.format == .csv ? try composeCSV(ids) : try composeJSON(ids)
    }

    private func composeCSV(_ ids: ArraySlice<Int64>) throws(ETLError) -> Piece {
        var (rest, count) = (ids, 0)
        while csv.bytes.count < JSONWriter.pieceBytes, let id = rest.popFirst() {
            guard try row.move(to: id) else { continue }
            try row.writeCells(into: &csv)
            if let others {
                let values = Dictionary(try others.values(of: id)) { first, _ in first }
                for name in content.others ?? [] { csv.cell(values[name] ?? "") }
            }
            if let mark = content.mark { csv.cell(mark) }
            csv.endRecord()
            count += 1
        }
        var bytes: [UInt8] = []
        csv.drain { bytes = Array($0) }
        return Piece(bytes: bytes, count: count, rest: rest)
    }

    private func composeJSON(_ ids: ArraySlice<Int64>) throws(ETLError) -> Piece {
        var (rest, count) = (ids, 0)
        let isArray = content.format == .json
        json.restart()
        if isArray { json.beginArray() }
        while json.bytes.count < JSONWriter.pieceBytes, let id = rest.popFirst() {
            guard try row.move(to: id) else { continue }
            try json.object { out throws(ETLError) in
                try row.writeFields(into: &out)
                try others?.write(id, into: &out)
            }
            if !isArray { json.endLine() }
            count += 1
        }
        var bytes = json.bytes
        if isArray, count > 0 { bytes[0] = UInt8(ascii: ",") } else if isArray { bytes = [] }
        return Piece(bytes: bytes, count: count, rest: rest)
    }
}
