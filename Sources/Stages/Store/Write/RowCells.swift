import Books
import Bytes
import Syntax

/// The user's own values of a row, ready to be stored.
struct RowCells {
    private let columns: ColumnMap
    private let cells: [Text]
    private let readings: [FieldReading]
    /// At most two, so searching is faster than hashing.
    private let communityColumns: [Int]
    private let review: Int
    /// Whether a column says something about a copy.
    private let hasCopies: Bool

    init(_ library: borrowing LibraryRows) {
        let columns = library.columns
        self.columns = columns
        cells = library.cells
        readings = library.readings
        communityColumns = [LibraryField.averageRating, .shelfPositions].compactMap { columns[$0] }
        review = columns[.review] ?? -1
        hasCopies = columns.listsCopies
    }

    /// The names of an export's columns as a JSON array.
    static func layout(_ columns: ColumnMap) -> String {
        var json = JSONWriter()
        json.array { json in for name in columns.names { json.string(name) } }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func cell(_ field: LibraryField, _ row: LibraryRow) -> Text {
        for index in row.readings where readings[index].field == field { return readings[index].value }
        guard let column = columns[field], column < row.cells.count else { return .none }
        return cells[row.cells.lowerBound + column]
    }

    /// - Parameters:
    ///   - author: The first author as the row names it.
    ///   - scratch: Memory to reuse.
    ///   - contentHash: Hash of what the record says about its book; the user's own values are added to it.
    func entry(
        of row: LibraryRow, author: Text, keys: KeyComposer, isbn: ISBN?, scratch: inout [UInt8],
        contentHash: inout UInt64, arena: inout Arena
    ) -> PreparedEntry {
        var community: UInt64 = 0
        // The packed cells are hashed together, except for community columns, which are hashed separately.
        var hashed = 0
        scratch.removeAll(keepingCapacity: true)
        arena.withAllBytes { all in
            for column in 0..<row.cells.count {
                let isCommunity = communityColumns.contains(column)
                if isCommunity {
                    contentHash = Self.hash(scratch, from: hashed, seed: contentHash &+ UInt64(column))
                }
                let bytes = UnsafeRawBufferPointer(rebasing: all[cells[row.cells.lowerBound + column].range])
                if column == review {
                    PackedCells.appendKeptApart(to: &scratch)
                    contentHash = KeyHash.hash(bytes, seed: contentHash)
                } else {
                    PackedCells.append(bytes, to: &scratch)
                }
                if isCommunity {
                    community = KeyHash.hash(bytes, seed: community)
                    hashed = scratch.count
                }
            }
        }
        contentHash = Self.hash(scratch, from: hashed, seed: contentHash)
        let packed = arena.append(scratch)
        let dateRead = date(.dateRead, row, hashing: &contentHash, &arena)
        let dateAdded = date(.dateAdded, row, hashing: &contentHash, &arena)
        let dateStarted = date(.dateStarted, row, hashing: &contentHash, &arena)
        let earlierReadings = cell(.earlierReadings, row)
        // Few records have these values; the others are hashed no further.
        if !dateStarted.isEmpty || !earlierReadings.isEmpty {
            contentHash = arena.withBytes(dateStarted) { KeyHash.hash($0, seed: contentHash) }
            contentHash = arena.withBytes(earlierReadings) { KeyHash.hash($0, seed: contentHash) }
        }

        if row.ruleHash != 0 { contentHash = contentHash &* 31 &+ row.ruleHash }

        let key = keys.entry(
            sourceID: cell(.sourceID, row), title: row.title, author: author, isbn: isbn, scratch: &scratch,
            arena: &arena)
        return PreparedEntry(
            key: key.key, sourceID: key.sourceID, title: row.title, author: author,
            rating: rating(row, arena), shelf: cell(.exclusiveShelf, row),
            shelves: cell(.shelves, row), dateRead: dateRead, dateAdded: dateAdded,
            dateStarted: dateStarted, earlierReadings: earlierReadings,
            readCount: cell(.readCount, row),
            ownedCopies: cell(.ownedCopies, row), review: cell(.review, row), notes: cell(.privateNotes, row),
            location: detail(.location, row, arena), lentTo: detail(.lentTo, row, arena),
            price: detail(.price, row, arena), condition: detail(.condition, row, arena),
            barcode: detail(.barcode, row, arena),
            cells: packed, unreadable: row.unreadable, contentHash: Int64(bitPattern: contentHash),
            community: Int64(bitPattern: community))
    }

    /// A detail of the copy. Most files have none.
    private func detail(_ field: LibraryField, _ row: LibraryRow, _ arena: borrowing Arena) -> Text {
        hasCopies ? arena.trimmed(cell(field, row)) : .none
    }

    /// Stars from 0.25 to 5. 0 means not rated.
    private func rating(_ row: LibraryRow, _ arena: Arena) -> Double? {
        let text = cell(.rating, row)
        if text.length == 1 {
            let digit = arena.withBytes(text) { $0[0] }
            return (0x31...0x35).contains(digit) ? Double(digit - 0x30) : nil
        }
        guard !text.isEmpty, let stars = Double(arena[text]), stars > 0, stars <= 5 else { return nil }
        return stars
    }

    /// A date as `2015-07-15`; empty if it cannot be read.
    ///
    /// - Parameter contentHash: Differs if the same cell is another date in another file.
    private func date(
        _ field: LibraryField, _ row: LibraryRow, hashing contentHash: inout UInt64, _ arena: inout Arena
    ) -> Text {
        let text = cell(field, row)
        guard let written = arena.withBytes(text, { DateText($0) }),
            let date = written.date(columns.dateOrder)
        else { return .none }
        if columns.dateOrder != .dayFirst, written.isAmbiguous {
            contentHash = withUnsafeBytes(of: date.value.littleEndian) {
                KeyHash.hash($0, seed: contentHash)
            }
        }
        return arena.append { date.append(to: &$0) }
    }

    /// A hash of the bytes from an offset on.
    private static func hash(_ bytes: [UInt8], from offset: Int, seed: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { KeyHash.hash(UnsafeRawBufferPointer(rebasing: $0[offset...]), seed: seed) }
    }
}
