import Syntax
import System

/// Unclosed quotes, handled simply and slowly, in tables that are well within all limits.
extension ReferenceCSVParser {
    /// All records of a table with a number of columns, including lines given up for an unclosed quote.
    package static func parse(_ bytes: [UInt8], columns: Int) -> [SeenRecord] {
        var records: [SeenRecord] = []
        var (at, line) = (0, 1)
        while at < bytes.count {
            let rest = Array(bytes[at...])
            let letter = parse(rest)
            guard var record = letter.first else { break }
            var next = letter.count > 1 ? Int(letter[1].position.byte) : rest.count
            var lines = letter.count > 1 ? letter[1].position.line - 1 : 0
            if let lost = lostLine(of: record, in: rest, columns) {
                record.raw = Array(rest[..<lost.end])
                (record.cells, record.rawLength, record.isBlank) = ([], lost.end, false)
                record.flags = [.unterminatedQuote, .unreadable]
                next = lost.next
                lines = lineEnds(in: rest[..<next])
            }
            record.position = Position(byte: Int64(at), line: line, record: records.count + 1)
            records.append(record)
            at += next
            line += lines
        }
        return records
    }

    private struct Quoted {
        var column: Int
        var start: Int
        var close: Int?
        var isClosedCorrectly: Bool
    }

    /// The end of the line in which the unclosed quote opens, and the beginning of the next line.
    private static func lostLine(
        of record: SeenRecord, in rest: [UInt8], _ columns: Int
    ) -> (end: Int, next: Int)? {
        let isOpen = record.flags.contains(.unterminatedQuote)
        guard isOpen || record.cells.count != columns else { return nil }
        var looks = 0
        for cell in quotedCells(of: record.raw) {
            let inside = cell.start + 1..<(cell.close ?? record.raw.count)
            guard let end = record.raw[inside].firstIndex(where: isLineEnd) else { continue }
            if isOpen, record.cells.count == columns, cell.close != nil { continue }
            let isPair = rest[end] == 13 && end + 1 < rest.count && rest[end + 1] == 10
            let next = end + (isPair ? 2 : 1)
            guard next < rest.count, looks < 4 else { continue }
            let width = cell.column + 1 + rest[cell.start + 1..<end].count { $0 == 44 }
            let isWide = columns >= 8
            guard width == columns || isWide && width > columns && !cell.isClosedCorrectly else { continue }
            looks += 1
            let lines = parse(Array(rest[next...])).filter {
                Int($0.position.byte) + next < record.raw.count && !$0.isBlank
            }
            let sound = lines.count { $0.cells.count == columns }
            let isTable =
                isWide && !cell.isClosedCorrectly ? sound * 2 > lines.count : sound == lines.count
            let isSpaced = lines.contains { $0.cells.dropFirst().contains { $0.first == 32 } }
            let isUnspaced = !cell.isClosedCorrectly && !isSpaced && sound == lines.count
            if isTable, sound * (columns - 1) >= (isUnspaced ? 1 : 8) { return (end, next) }
        }
        return nil
    }

    private static func quotedCells(of raw: [UInt8]) -> [Quoted] {
        var cells: [Quoted] = []
        var (at, column) = (0, 0)
        while at <= raw.count {
            let start = at
            if at < raw.count, raw[at] == 34 {
                at += 1
                while at < raw.count, raw[at] != 34 || at + 1 < raw.count && raw[at + 1] == 34 {
                    at += raw[at] == 34 ? 2 : 1
                }
                let behind = at + 1
                let isSound = at < raw.count && (behind == raw.count || raw[behind] == 44)
                cells.append(
                    Quoted(
                        column: column, start: start, close: at < raw.count ? at : nil,
                        isClosedCorrectly: isSound))
            }
            while at < raw.count, raw[at] != 44 { at += 1 }
            at += 1
            column += 1
        }
        return cells
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

    private static func lineEnds(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.indices.count { at in
            bytes[at] == 13 || bytes[at] == 10 && !(at > bytes.startIndex && bytes[at - 1] == 13)
        }
    }
}
