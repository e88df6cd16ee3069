import Bytes

/// Readings of single values that exporters write in their own ways.
extension LibraryRows {
    /// Reads how far the reader is, in the words of any exporter, as the shelf that Goodreads would have: `read`,
    /// `currently-reading`, `to-read`, `did-not-finish`, `paused`. Other words stay as they are.
    mutating func readShelf(of row: inout LibraryRow) {
        let cell = cell(.exclusiveShelf, of: row)
        guard !cell.isEmpty, let shelf = arena.withBytes(cell, { ReadingStatus($0) }) else { return }
        let name = shelf.rawValue
        guard !arena.withBytes(cell, { $0.elementsEqual(name.utf8) }) else { return }
        read(.exclusiveShelf, as: arena.append(name), of: &row)
    }

    /// Reads the reader's rating on one scale, whole, half or quarter stars from 0.25 to 5; 0 is no rating.
    mutating func readRating(of row: inout LibraryRow) {
        let cell = cell(.rating, of: row)
        guard !cell.isEmpty else { return }
        switch arena.withBytes(cell, { StarRating.read($0) }) {
        case .plain: break
        case .stars(let stars): read(.rating, as: arena.append("\(stars)"), of: &row)
        case .absent: read(.rating, as: .none, of: &row)
        case .damaged:
            noteUnreadable(.ratingDamaged, .rating, cell, of: &row)
            read(.rating, as: .none, of: &row)
        }
    }

    /// Reads a language named by any code or in English as its two-letter code; of several the first.
    mutating func readLanguage(of row: inout LibraryRow) {
        let cell = cell(.language, of: row)
        guard !cell.isEmpty, let code = arena.withBytes(cell, { LanguageNames.code($0) }),
            !arena.withBytes(cell, { $0.elementsEqual(code.utf8) })
        else { return }
        read(.language, as: arena.append(code), of: &row)
    }

    /// Reads a value without the brackets around it: `[2007-04-16]`.
    mutating func readWithoutBrackets(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        let isBracketed = arena.withBytes(cell) {
            $0.first == UInt8(ascii: "[") && $0.last == UInt8(ascii: "]") && $0.count > 1
        }
        if isBracketed { read(field, as: cell.part(1..<Int(cell.length) - 1), of: &row) }
    }

    /// Reads a number without a fraction of zero: `8.0`.
    mutating func readWholeNumber(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        let whole = withoutFraction(cell)
        if whole.length != cell.length { read(field, as: whole, of: &row) }
    }

    /// Reads yes and no as 1 and 0.
    mutating func readYesNo(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        let isYes = arena.withBytes(cell) { bytes -> Bool? in
            let trimmed = bytes.trimmedBlanks
            guard let first = trimmed.isEmpty ? nil : bytes[trimmed.lowerBound] | 0x20 else { return nil }
            switch first {
            case UInt8(ascii: "y"), UInt8(ascii: "t"): return true
            case UInt8(ascii: "n"), UInt8(ascii: "f"): return false
            default: return nil
            }
        }
        if let isYes { read(field, as: arena.append(isYes ? "1" : "0"), of: &row) }
    }

    /// Sets a record aside whose binding, or whose author, says that it is no book.
    mutating func setAsideWhatIsNoBook(_ row: inout LibraryRow) {
        let binding = cell(.binding, of: row)
        if !binding.isEmpty, row.format == nil, arena.withBytes(binding, { NonBookWords.names($0) }) {
            row.refusal = .notABook
        }
        // What librarians put in an author's place (Goodreads).
        if let first = row.people.first, people[first].name.length == 10,
            arena.withBytes(people[first].name, { NonBookWords.names($0) })
        {
            row.refusal = .notABook
        }
    }
}
