package import Syntax
package import System

/// A record with all its properties as plain values, to compare parsers.
package struct SeenRecord: Hashable, Sendable {
    package var position: Position
    package var raw: [UInt8]
    package var cells: [[UInt8]]
    package var flags: RecordFlags
    package var rawLength: Int
    package var isBlank: Bool
}

/// A simple, slow CSV parser that tests compare the real one with. It holds the whole input and walks it byte
/// by byte, without masks, blocks or resuming.
package struct ReferenceCSVParser {
    private let bytes: [UInt8]
    private let dialect: Dialect
    private let limits: RecordLimits
    private var at = 0
    private var line = 1

    // State of the current record.
    private var start = 0
    private var cells: [[UInt8]] = []
    private var longestField = 0
    private var flags: RecordFlags = []
    private var isGivenUp = false

    /// All records of a UTF-8 input without byte order mark.
    package static func parse(
        _ bytes: [UInt8], dialect: Dialect = .comma, limits: RecordLimits = .standard
    ) -> [SeenRecord] {
        var parser = ReferenceCSVParser(bytes: bytes, dialect: dialect, limits: limits)
        var records: [SeenRecord] = []
        while parser.at < bytes.count { records.append(parser.record(number: records.count + 1)) }
        return records
    }

    private init(bytes: [UInt8], dialect: Dialect, limits: RecordLimits) {
        self.bytes = bytes
        self.dialect = dialect
        self.limits = limits
    }

    private mutating func record(number: Int) -> SeenRecord {
        let position = Position(byte: Int64(at), line: line, record: number)
        start = at
        cells = []
        longestField = 0
        flags = []
        isGivenUp = false

        field()
        while at < bytes.count, bytes[at] == dialect.delimiter {
            at += 1
            field()
        }
        let raw = Array(bytes[start..<at])
        passLineEnd()

        if raw.count > limits.recordBytes || isGivenUp {
            flags.formIntersection(.unterminatedQuote)
            flags.insert(.recordOverLimit)
        } else {
            if raw.contains(0) { flags.insert(.nul) }
            if String(validating: raw, as: UTF8.self) == nil { flags.insert(.invalidUTF8) }
            if cells.count > limits.columns {
                flags.insert(.columnsOverLimit)
            } else if longestField > limits.fieldBytes {
                flags.insert(.fieldOverLimit)
            }
        }
        let isOverLimit = !flags.isDisjoint(with: .overLimit)
        return SeenRecord(
            position: position, raw: isOverLimit ? Array(raw.prefix(Reject.keptBytes)) : raw,
            cells: isOverLimit ? [] : cells, flags: flags, rawLength: raw.count,
            isBlank: !isOverLimit && cells.allSatisfy(\.isEmpty))
    }

    private mutating func field() {
        let fieldStart = at
        var cell: [UInt8] = []
        var enclosing = 0
        if at < bytes.count, bytes[at] == dialect.quote {
            enclosing = quotedPart(fieldStart, &cell)
        } else {
            unquotedPart(&cell)
        }
        longestField = max(longestField, at - fieldStart - enclosing)
        cells.append(cell)
    }

    /// Returns how many quotes enclose the field.
    private mutating func quotedPart(_ fieldStart: Int, _ cell: inout [UInt8]) -> Int {
        at += 1
        var isSure = false
        while true {
            if at == bytes.count {
                flags.insert(.unterminatedQuote)
                return 1
            }
            if !isSure, at - start >= max(limits.recordBytes, fieldStart - start + limits.fieldBytes) {
                if isClosed(from: at) {
                    isSure = true
                    continue
                }
                flags.insert(.unterminatedQuote)
                isGivenUp = true
                while at < bytes.count, !isLineEnd(bytes[at]) { at += 1 }
                return 1
            }
            if bytes[at] == dialect.quote {
                if at + 1 < bytes.count, bytes[at + 1] == dialect.quote {
                    cell.append(bytes[at])
                    at += 2
                    continue
                }
                at += 1
                break
            }
            countLine()
            cell.append(bytes[at])
            at += 1
        }
        if at == bytes.count || endsField(bytes[at]) { return 2 }
        flags.insert(.textAfterQuote)
        while at < bytes.count, !endsField(bytes[at]) {
            cell.append(bytes[at])
            at += 1
        }
        return 0
    }

    /// Whether the next unpaired quote is followed by the end of a field.
    private func isClosed(from offset: Int) -> Bool {
        var next = offset
        while next < bytes.count {
            if bytes[next] != dialect.quote {
                next += 1
            } else if next + 1 < bytes.count, bytes[next + 1] == dialect.quote {
                next += 2
            } else {
                return next + 1 == bytes.count || endsField(bytes[next + 1])
            }
        }
        return false
    }

    private mutating func unquotedPart(_ cell: inout [UInt8]) {
        while at < bytes.count, !endsField(bytes[at]) {
            cell.append(bytes[at])
            at += 1
        }
        guard let quote = dialect.quote, cell.contains(quote) else { return }
        let isFormula =
            cell.count >= 3 && cell[0] == UInt8(ascii: "=") && cell[1] == quote && cell.last == quote
            && cell.count { $0 == quote } == 2
        if !isFormula { flags.insert(.strayQuote) }
    }

    /// Counts a physical line that ends within quotes, at the current CR or LF.
    private mutating func countLine() {
        let followsCR = at > start && bytes[at - 1] == UInt8(ascii: "\r")
        if bytes[at] == UInt8(ascii: "\r") || (bytes[at] == UInt8(ascii: "\n") && !followsCR) { line += 1 }
    }

    private mutating func passLineEnd() {
        guard at < bytes.count else { return }
        line += 1
        let isCR = bytes[at] == UInt8(ascii: "\r")
        at += 1
        if isCR, at < bytes.count, bytes[at] == UInt8(ascii: "\n") { at += 1 }
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }
    private func endsField(_ byte: UInt8) -> Bool { byte == dialect.delimiter || isLineEnd(byte) }
}
