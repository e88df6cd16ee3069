package import Books
package import Syntax
package import System

/// Library records as MARC-in-JSON: one object, a list, several concatenated objects, one object per line, or
/// any of these within another object.
package struct MARCJSON: StructuredFormat {
    package let name = "marc-json"

    package init() {}

    package var isText: Bool { true }

    package func evidence(in head: [UInt8]) -> String? {
        guard let found = JSONHead(head)?.keys(of: ["leader", "fields", "subfields"]),
            found.contains("fields"), found.count > 1
        else { return nil }
        return "It is JSON in UTF-8 with MARC's keys \(found.joined(separator: " and "))."
    }

    package func columns(of file: InputFile) throws(ETLError) -> [String] {
        try UNIMARC.refuse(file) { UNIMARC.tags(in: $0, between: "\"", and: "\"") }
        return MARCColumn.names
    }

    package var described: [DescribedColumn] { MARCColumn.described }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { MARCColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        MARCJSONStream(
            try file.bytes(from: start.byte), encoding: file.encoding ?? .utf8, limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        RawRecordCells.read(raw) { MARCJSONStream($0, limits: .standard, from: .start) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readMARC(&row)
    }
}
