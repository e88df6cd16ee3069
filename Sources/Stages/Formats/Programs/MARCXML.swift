package import Books
package import Syntax
package import System

/// Library records in XML: MARCXML and MARCXchange, including responses of a library's OAI-PMH or SRU
/// interface.
package struct MARCXML: StructuredFormat {
    package let name = "marcxml"

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        guard let prolog = XMLProlog(head: head) else { return nil }
        let isKnown = Self.roots.contains(prolog.root)
        guard isKnown, Self.marks.contains(where: { head.firstRange(of: Array($0.utf8)) != nil }) else {
            return nil
        }
        return
            "It is XML in \(prolog.encodingName) with the root element <\(prolog.root)> and MARC fields."
    }

    /// Root elements of documents with MARC records.
    private static let roots: Set = ["collection", "record", "OAI-PMH", "searchRetrieveResponse", "records"]

    /// One of these occurs near the start of every such file.
    private static let marks = ["MARC21/slim", "marcxchange", "datafield", "controlfield"]

    package func columns(of file: InputFile) throws(ETLError) -> [String] {
        try UNIMARC.refuse(file) {
            UNIMARC.tags(in: $0, between: "tag=\"", and: "\"").union(
                UNIMARC.tags(in: $0, between: "tag='", and: "'"))
        }
        return MARCColumn.names
    }

    package var described: [DescribedColumn] { MARCColumn.described }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { MARCColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        let prolog = try XMLProlog(of: file)
        return MARCXMLStream(
            try file.bytes(from: start.byte), prolog: prolog, limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        guard let prolog = XMLProlog(head: raw) else { return nil }
        return RawRecordCells.read(raw) { MARCXMLStream($0, prolog: prolog, limits: .standard, from: .start) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readMARC(&row)
    }
}
