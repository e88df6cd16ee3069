import Bytes
package import System

/// A JSON file whose objects are records: a list of objects, objects within an object, one object per line, or
/// objects one after the other. It is read as a table whose columns are the objects' keys, so that everything that
/// is true of tables is true of it too.
///
/// A list in an object becomes one cell, its items separated by `; `. Of an object within it the name is used.
package struct JSONTable: Sendable, Hashable {
    /// Keys of the objects in the order of their first occurrence: the columns.
    package let columns: [String]
    /// Open brackets around each record.
    let depth: Int
    /// The column of each key of the objects within the records whose value is lifted into a column.
    let lifted: [String: String]
    /// The columns for such values among the keys of the records themselves. A record with one of them keeps it, and
    /// its objects, which can be about other books, are left alone.
    let own: [String]

    /// The last column: keys without a column, and records that are not valid JSON.
    package static let moreColumn = "more"
    /// Maximum number of columns with a key's name.
    private static let maxColumns = 500
    /// Bytes of the longest record.
    static let maxRecord = 4 << 20

    /// Examines a file.
    ///
    /// - Parameters:
    ///   - head: Its first bytes.
    ///   - likeness: Likeness of an object with these keys to a record.
    ///   - lift: The column for the value of a key in an object within a record; nil to leave it there. Values are
    ///     lifted in records that have none of their own.
    ///   - open: Makes a source of all bytes.
    /// - Returns: Nil if its objects are not records.
    package init?(
        head: [UInt8], by likeness: ([String]) -> Likeness, lifting lift: (String) -> String?,
        reading open: () throws(ETLError) -> any ByteSource
    ) throws(ETLError) {
        guard JSONHead(head) != nil, let depth = Self.depth(of: head, by: likeness) else { return nil }
        self.depth = depth
        var scanner = JSONRecordScanner(try open(), depth: depth)
        var columns: [String] = []
        var known: Set<String> = [Self.moreColumn]
        var lifted: [String: String] = [:]
        // Each record has the same keys, and deciding about a key takes longer than reading a record.
        var lifts: [String: String?] = [:]
        func lifting(_ key: String) -> String? {
            if let known = lifts[key] { return known }
            let column = lift(key)
            if lifts.count < Self.maxColumns { lifts[key] = .some(column) }
            return column
        }
        while let record = try scanner.next() {
            guard case .object(let bytes) = record, columns.count < Self.maxColumns else { continue }
            var hasOwn = false
            try? JSONReader.read(bytes) { (reader) throws(JSONReadError) in
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    let name = key.string
                    hasOwn = hasOwn || lifting(name) != nil
                    if columns.count < Self.maxColumns, known.insert(name).inserted { columns.append(name) }
                    try reader.skip()
                }
            }
            guard !hasOwn, bytes.dropFirst().contains(where: { $0 == UInt8(ascii: "{") }) else { continue }
            for (key, _) in JSONLiftedKeys.pairs(in: bytes) {
                if let column = lifting(key) { lifted[key] = column }
            }
        }
        guard !columns.isEmpty else { return nil }
        own = lifted.isEmpty ? [] : columns.filter { lifting($0) != nil }
        self.columns = columns + Set(lifted.values).subtracting(columns).sorted()
        self.lifted = lifted
    }

    /// The problem with a row that is a damaged record; nil for any other row.
    ///
    /// - Parameter cells: The row's cells, one more than there are columns.
    package static func damage(in cells: [[UInt8]]) -> String? {
        guard let last = cells.last, last.first == UInt8(ascii: "{"), cells.dropLast().allSatisfy(\.isEmpty)
        else {
            return nil
        }
        return JSONBrackets(last).areOpen
            ? "It is not complete: the file or the line ends before the JSON object does."
            : "It is not valid JSON."
    }

    /// The table as comma-separated text, header first.
    package func bytes(of source: any ByteSource) -> any ByteSource { JSONTableBytes(self, source) }

    /// Likeness of an object to a record.
    package enum Likeness: Int, Sendable {
        case none
        /// It has a title or an ISBN.
        case some
        /// It has a title, and an author or an ISBN.
        case strong
    }

    /// The number of brackets around the records: those around the outermost objects that are like records. But a
    /// single one around several that are more like records is what holds them.
    private static func depth(of head: [UInt8], by likeness: ([String]) -> Likeness) -> Int? {
        var counts: [Int: (some: Int, strong: Int, held: Int)] = [:]
        var open: [(isObject: Bool, keys: [String])] = []
        func note(_ keys: [String], _ depth: Int) {
            switch likeness(keys) {
            case .none: break
            case .some: counts[depth, default: (0, 0, 0)].some += 1
            case .strong:
                counts[depth, default: (0, 0, 0)].strong += 1
                if open.first?.isObject == true { counts[depth, default: (0, 0, 0)].held += 1 }
            }
        }
        var at = 0
        var string: [UInt8]?
        while at < head.count, open.count <= 16 {
            let byte = head[at]
            at += 1
            if string != nil {
                switch byte {
                case UInt8(ascii: "\\"): at += 1
                case UInt8(ascii: "\""):
                    // A key is followed by a colon.
                    let next = head[min(at, head.count)...].first { $0 > 0x20 }
                    if next == UInt8(ascii: ":"), let bytes = string, open.last?.isObject == true {
                        open[open.count - 1].keys.append(String(decoding: bytes, as: UTF8.self))
                    }
                    string = nil
                default: string?.append(byte)
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): string = []
            case UInt8(ascii: "{"): open.append((true, []))
            case UInt8(ascii: "["): open.append((false, []))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let closed = open.popLast(), closed.isObject { note(closed.keys, open.count) }
            default: break
            }
        }
        // The head may end within objects.
        while let closed = open.popLast() { if closed.isObject { note(closed.keys, open.count) } }
        guard let outermost = counts.keys.min(), let found = counts[outermost] else { return nil }
        // An outermost object holds nothing of a list before or behind it.
        let inner = counts.filter { depth, found in
            depth > outermost && (outermost == 0 ? found.held : found.strong) > 1
        }.keys.min()
        return found.some + found.strong == 1 ? inner ?? outermost : outermost
    }
}

/// Finds the objects of a JSON file that are at one depth.
struct JSONRecordScanner {
    enum Found {
        case object([UInt8])
        /// Bytes that should be a record and are not: its beginning.
        case damaged([UInt8])
    }

    private var source: any ByteSource
    /// Open brackets around each record of this document.
    private var depth: Int
    /// The same of the first document, and its first bracket; nil before it.
    private let firstDepth: Int
    private var firstBracket: UInt8?
    private var buffer = [UInt8](repeating: 0, count: 128 << 10)
    private var (at, end) = (0, 0)
    /// Open brackets.
    private var open = 0
    private var strings = JSONStrings()
    private var record: [UInt8] = []
    private var isInRecord = false
    private var isTooLong = false
    /// Whether every record is a line, as the last one was.
    private var isLined = false
    /// Whether the last byte ended a line within a record that should be one.
    private var hasLineEnded = false

    init(_ source: any ByteSource, depth: Int) {
        self.source = source
        self.depth = depth
        firstDepth = depth
    }

    /// Several files may have been joined into one: a list behind a list, or behind lines of objects. A document of
    /// another kind than the first has its records at the usual depth of that kind.
    private mutating func startDocument(_ bracket: UInt8) {
        let first = firstBracket ?? bracket
        firstBracket = first
        let usual = bracket == UInt8(ascii: "[") ? 1 : 0
        depth = bracket == first ? max(firstDepth, usual) : usual
    }

    mutating func next() throws(ETLError) -> Found? {
        while true {
            if at == end {
                end = try fill()
                at = 0
                guard end > 0 else { return finish() }
            }
            let byte = buffer[at]
            at += 1
            if let found = take(byte) { return found }
        }
    }

    private mutating func fill() throws(ETLError) -> Int {
        var count = 0
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count, alignment: 1)
        defer { piece.deallocate() }
        count = try source.read(into: piece)
        buffer.replaceSubrange(0..<count, with: piece[..<count])
        return count
    }

    private mutating func finish() -> Found? {
        guard isInRecord else { return nil }
        isInRecord = false
        return .damaged(Array(record.prefix(Reject.keptBytes)))
    }

    private mutating func take(_ byte: UInt8) -> Found? {
        if hasLineEnded {
            hasLineEnded = false
            if byte == UInt8(ascii: "{") {
                // The line before has a record that does not end with it, and the next record begins here.
                at -= 1
                (isInRecord, strings, open) = (false, JSONStrings(), depth)
                return .damaged(Array(record.prefix(Reject.keptBytes)))
            }
        }
        if isInRecord {
            if record.count < JSONTable.maxRecord { record.append(byte) } else { isTooLong = true }
            hasLineEnded = isLined && byte == UInt8(ascii: "\n")
        }
        if strings.take(byte) { return nil }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if open == 0, !isInRecord { startDocument(byte) }
            if byte == UInt8(ascii: "{"), open == depth, !isInRecord {
                isInRecord = true
                record = [byte]
                isTooLong = false
            }
            open += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            open = max(0, open - 1)
            if isInRecord, open == depth {
                isInRecord = false
                isLined = depth == 0 && !record.contains(UInt8(ascii: "\n"))
                let found =
                    isTooLong ? Found.damaged(Array(record.prefix(Reject.keptBytes))) : .object(record)
                return found
            }
        default: break
        }
        return nil
    }
}

/// The objects of a JSON file as comma-separated text.
final class JSONTableBytes: ByteSource {
    private let table: JSONTable
    private let places: [String: Int]
    private var scanner: JSONRecordScanner
    private var held: [UInt8] = []
    private var given = 0
    private var isAtEnd = false
    private var cells: [[UInt8]]

    init(_ table: JSONTable, _ source: any ByteSource) {
        self.table = table
        places = Dictionary(uniqueKeysWithValues: table.columns.enumerated().map { ($1, $0) })
        scanner = JSONRecordScanner(source, depth: table.depth)
        cells = Array(repeating: [], count: table.columns.count + 1)
        write(table.columns.map { Array($0.utf8) } + [Array(JSONTable.moreColumn.utf8)])
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while given == held.count {
            guard !isAtEnd else { return 0 }
            held.removeAll(keepingCapacity: true)
            given = 0
            guard let record = try scanner.next() else {
                isAtEnd = true
                return 0
            }
            write(record)
        }
        let count = min(buffer.count, held.count - given)
        held.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[given..<given + count]))
        }
        given += count
        return count
    }

    private func write(_ record: JSONRecordScanner.Found) {
        for index in cells.indices { cells[index].removeAll(keepingCapacity: true) }
        switch record {
        case .object(let bytes):
            let isValid: Void? = try? JSONReader.read(bytes) { (reader) throws(JSONReadError) in
                reader.allowsBareControls = true
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    try take(key.string, &reader)
                }
                try reader.finish()
            }
            if isValid != nil { fillLifted(from: bytes) }
            if isValid == nil {
                for index in cells.indices { cells[index].removeAll(keepingCapacity: true) }
                cells[cells.count - 1] = Array(bytes.prefix(Reject.keptBytes))
            }
        case .damaged(let bytes): cells[cells.count - 1] = bytes
        }
        write(cells)
    }

    /// Fills the columns of lifted values. Of several values the first is used.
    private func fillLifted(from record: [UInt8]) {
        guard !table.lifted.isEmpty,
            !table.own.contains(where: { own in places[own].map { !cells[$0].isEmpty } ?? false })
        else { return }
        for (key, value) in JSONLiftedKeys.pairs(in: record) {
            guard let column = table.lifted[key], let place = places[column], cells[place].isEmpty else {
                continue
            }
            cells[place] = Array(value.prefix { $0 != UInt8(ascii: ";") })
        }
    }

    private func take(_ key: String, _ reader: inout JSONReader) throws(JSONReadError) {
        var text: [UInt8] = []
        try JSONTexts.append(&reader, to: &text)
        if let place = places[key], cells[place].isEmpty {
            cells[place] = text
        } else if !text.isEmpty {
            let last = cells.count - 1
            if !cells[last].isEmpty { cells[last] += Array("; ".utf8) }
            cells[last] += Array("\(key)=".utf8) + text
        }
    }

    private func write(_ cells: [[UInt8]]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { held.append(UInt8(ascii: ",")) }
            guard !cell.isEmpty else { continue }
            held.append(UInt8(ascii: "\""))
            for byte in cell {
                if byte == UInt8(ascii: "\"") { held.append(byte) }
                held.append(byte)
            }
            held.append(UInt8(ascii: "\""))
        }
        held.append(UInt8(ascii: "\n"))
    }
}
