/// People and what they did, from two cells whose parts belong to each other: `Neil Gaiman|Dave McKean` and
/// `author|illustrator`.
extension LibraryRows {
    /// Fills a row's people. Names are in reading order, parted by bars; a role that is missing or unknown, in any case, makes a
    /// contributor, or the author of whoever stands first.
    mutating func readPeople(of row: inout LibraryRow, names: Int, roles: Int?) {
        row.people = people.count..<people.count
        let nameCell = cell(names, of: row)
        let roleCell = roles.map { cell($0, of: row) } ?? .none
        let roles = arena.withBytes(roleCell) { Self.parts(of: $0) }
        for (number, part) in arena.withBytes(nameCell, { Self.parts(of: $0) }).enumerated() {
            guard row.people.count < Self.mostPeople else { break }
            let name = arena.folded(nameCell.part(part))
            let role = number < roles.count ? arena[roleCell.part(roles[number])] : ""
            guard !name.isEmpty else { continue }
            people.append(Person(name: name, role: Self.role(role, isFirst: row.people.isEmpty)))
            row.people = row.people.lowerBound..<people.count
        }
    }

    private func cell(_ column: Int, of row: LibraryRow) -> Text {
        column < row.cells.count ? cells[row.cells.lowerBound + column] : .none
    }

    private static func parts(of bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        bytes.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
            .map { bytes.trimmedBlanks(in: $0.startIndex..<$0.endIndex) }
    }

    private static func role(_ word: String, isFirst: Bool) -> ContributorRole {
        switch word.lowercased() {
        case "author": .author
        case "editor": .editor
        case "translator": .translator
        case "illustrator": .illustrator
        case "narrator": .narrator
        default: isFirst ? .author : .contributor
        }
    }
}
