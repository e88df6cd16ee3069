package import Books
import Bytes
package import Syntax
package import System

/// Library records as library systems exchange them: MARC 21 in ISO 2709 (`.mrc`, `.dat`), in UTF-8 or
/// MARC-8.
package struct MARC: StructuredFormat {
    package let name = "marc"

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        let start = head.prefix(256).firstIndex { !MARCFraming.isBetween($0) } ?? 0
        let leader = head[start...].prefix(MARCRecord.leaderLength)
        guard leader.count == MARCRecord.leaderLength, head.contains(0x1E) else { return nil }
        let at = leader.startIndex
        // Every MARC leader has two indicators, subfield codes of two characters, and directory entries with
        // 4 and 5 digits.
        let hasCounts = leader[at + 10] == UInt8(ascii: "2") && leader[at + 11] == UInt8(ascii: "2")
        let hasMap = leader[at + 20] == UInt8(ascii: "4") && leader[at + 21] == UInt8(ascii: "5")
        let hasLength = leader.prefix(5).allSatisfy(\.isDigit)
        guard hasLength && (hasCounts || hasMap) || hasCounts && hasMap else { return nil }
        let encoding = leader[at + 9] == UInt8(ascii: "a") ? "UTF-8" : "MARC-8"
        return "It begins with the leader of a MARC record in \(encoding)."
    }

    package func columns(of file: InputFile) throws(ETLError) -> [String] {
        try UNIMARC.refuse(file) { UNIMARC.tags(ofISO2709: $0) }
        return MARCColumn.names
    }

    package var described: [DescribedColumn] { MARCColumn.described }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { MARCColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        MARCStream(try file.bytes(from: start.byte), limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        RawRecordCells.read(raw) { MARCStream($0, limits: .standard, from: .start) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readMARC(&row)
    }
}
