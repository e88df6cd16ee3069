package import Books
import Bytes
package import Syntax
package import System

/// Publishers' product data: ONIX for Books 2.1 and 3.0, with reference names or short tags.
package struct ONIX: StructuredFormat {
    package let name = "onix"

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        guard let prolog = XMLProlog(head: head) else { return nil }
        let sentence = "It is XML in \(prolog.encodingName) with the root element <\(prolog.root)>"
        if prolog.root.lowercased() == "onixmessage" { return sentence + "." }
        // Parts of a message, without the message around them.
        let isProduct = Self.marks.contains { head.firstRange(of: Array($0.utf8)) != nil }
        return isProduct ? sentence + " and ONIX products." : nil
    }

    /// Each is in every product with an identifier, and in no other kind of XML.
    private static let marks = ["<ProductIDType", "<productidtype", "<b221"]

    package func columns(of file: InputFile) -> [String] { ONIXColumn.names }

    package var described: [DescribedColumn] { ONIXColumn.described }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { ONIXColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        let prolog = try XMLProlog(of: file)
        return ONIXStream(try file.bytes(from: start.byte), prolog: prolog, limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        guard let prolog = XMLProlog(head: raw) else { return nil }
        return RawRecordCells.read(raw) { ONIXStream($0, prolog: prolog, limits: .standard, from: .start) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        row.title = rows.arena.collapsingBlanks(rows.cell(.title, of: row))
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row, names: ONIXColumn.people.rawValue, roles: ONIXColumn.roles.rawValue)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        // List 1: a record that was sent before is deleted.
        let notification = rows.cell(named: [ONIXColumn.notification.name], of: row)
        if rows.arena[notification] == "05" { row.refusal = .deletedAtSource }
        if ["Video", "Merchandise"].contains(rows.string(.binding, of: row)) { row.refusal = .notABook }
    }
}
