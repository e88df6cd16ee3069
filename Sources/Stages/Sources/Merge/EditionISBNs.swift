import Books
import Bytes

/// The ISBNs of one edition: the row's first, then those of the candidates that are this edition.
///
/// Each number is kept once and written in both lengths, so that either can be searched for in the store.
struct EditionISBNs {
    struct Entry {
        var isbn: ISBN
        var origin: FieldOrigin
        /// The digits in a candidate's spelling; empty if they are still to be written.
        var thirteen: Text = .none
        var ten: Text = .none
    }

    private(set) var entries: [Entry] = []

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds the row's own ISBN.
    mutating func add(_ isbn: ISBN) { entries.append(Entry(isbn: isbn, origin: .row)) }

    /// Adds a candidate's ISBN of either length; invalid ones are skipped.
    mutating func add(_ text: Text, from origin: FieldOrigin, in arena: Arena) {
        guard let isbn = arena.withBytes(text, { ISBN(normalized: $0) }) else { return }
        let index = entries.firstIndex { $0.isbn == isbn } ?? entries.count
        if index == entries.count { entries.append(Entry(isbn: isbn, origin: origin)) }
        if text.length == 13, entries[index].thirteen.isEmpty { entries[index].thirteen = text }
        if text.length == 10, entries[index].ten.isEmpty,
            arena.withBytes(text, { $0[9] != UInt8(ascii: "x") })
        {
            entries[index].ten = text
        }
    }

    /// Appends the values of one length, in order.
    ///
    /// - Parameter repair: Repair of the row's ISBN.
    func append(
        _ field: Field, repair: ISBNRepair?, arena: inout Arena, to values: inout [BookValue]
    ) {
        for entry in entries {
            if field == .isbn10, !entry.isbn.hasISBN10 { continue }
            let spelled = field == .isbn13 ? entry.thirteen : entry.ten
            // Closures: another module's methods as arguments would be allocated.
            let text =
                if !spelled.isEmpty { spelled } else if field == .isbn13 {
                    arena.append { entry.isbn.appendISBN13(to: &$0) }
                } else {
                    arena.append { entry.isbn.appendISBN10(to: &$0) }
                }
            values.append(
                BookValue(
                    field, text, from: entry.origin, by: rule(of: entry, spelled: !spelled.isEmpty, repair)))
        }
    }

    private func rule(of entry: Entry, spelled: Bool, _ repair: ISBNRepair?) -> MergeRule {
        if entry.origin == .row { return repair == nil ? .given : .repaired }
        if !spelled { return .normalized }
        return entries.count == 1 ? .given : .union
    }
}
