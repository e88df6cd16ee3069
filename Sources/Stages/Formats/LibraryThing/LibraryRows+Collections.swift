import Books
import Bytes

extension LibraryRows {
    /// Reads LibraryThing's collections, a list. The shelf follows from the collection that is a reading status, or
    /// from a reading date. The user's own collections are further shelves.
    mutating func readCollections(of row: inout LibraryRow) {
        var status: ReadingStatus?
        var own: [String] = []
        var (isOwned, isUnowned) = (false, false)
        for part in arena[cell(.exclusiveShelf, of: row)].split(separator: ",") {
            let name = part.trimming(.spaces)
            isOwned = isOwned || name.lowercased() == "your library"
            isUnowned = isUnowned || ReadingStatus.saysUnowned(name)
            if let named = ReadingStatus(name) {
                status = Self.rank(named) < Self.rank(status) ? named : status
            } else if !name.isEmpty, !Self.ofEveryAccount.contains(name.lowercased()) {
                own.append(name)
            }
        }
        // The number of copies is 1 in each collection.
        if isUnowned, !isOwned { noteUnowned(&row) }
        if status == nil, !cell(.dateRead, of: row).isEmpty { status = .read }
        read(.exclusiveShelf, as: status.map { arena.append($0.rawValue) } ?? .none, of: &row)
        addShelves(own, to: &row)
    }

    /// Of several collections the most specific one counts.
    private static func rank(_ status: ReadingStatus?) -> Int {
        switch status {
        case .reading: 0
        case .toRead: 1
        case .some: 2
        case nil: 3
        }
    }

    /// Collections without information about a book.
    private static let ofEveryAccount: Set = ["your library", "all collections"]

    private mutating func addShelves(_ names: [String], to row: inout LibraryRow) {
        guard !names.isEmpty else { return }
        let tags = arena[cell(.shelves, of: row)]
        let known = Set(tags.split(separator: ",").map { $0.trimming(.spaces) })
        let new = names.filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        read(
            .shelves, as: arena.append(((tags.isEmpty ? [] : [tags]) + new).joined(separator: ", ")), of: &row
        )
    }
}
