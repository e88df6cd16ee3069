import Bytes

/// Reading the people of a record.
extension LibraryRows {
    /// People kept of one record: candidates number authors in a byte.
    static let maxPeople = 255

    /// Reads the people: the author, those of the list beside it, those with their roles in brackets. Whoever
    /// stands first is the author, unless a role says otherwise.
    mutating func readPeople(of row: inout LibraryRow) {
        row.people = people.count..<people.count
        let author = cell(.author, of: row)
        if author.isEmpty {
            let inverted = cell(.authorLastFirst, of: row)
            if !inverted.isEmpty {
                let name = readingOrder(of: inverted)
                addPerson(name, to: &row)
            }
        } else if arena.withBytes(author, { $0.contains(UInt8(ascii: ";")) }) {
            // An author's cell names one person, unless `;` parts several.
            readNames(author, in: .author, of: &row)
        } else {
            addPerson(author, to: &row)
        }
        let others = cell(.additionalAuthors, of: row)
        if !others.isEmpty { readNames(others, in: .additionalAuthors, of: &row) }
        let contributors = cell(.contributors, of: row)
        if !contributors.isEmpty { readNames(contributors, in: .contributors, of: &row) }
    }

    /// Reads a list of names, each with its role in brackets where it has one: `László Szíjgyártó (Translator)`.
    ///
    /// - Parameters:
    ///   - separator: What parts the names; nil for `;` where there is one and `,` otherwise.
    ///   - inverts: Whether a comma inside a name can mean that the family name comes first.
    mutating func readNames(
        _ cell: Text, in field: LibraryField, separator: UInt8? = nil, inverts: Bool = true,
        of row: inout LibraryRow
    ) {
        var list = arena.withBytes(cell) { NameList($0, separator: separator) }
        while let range = arena.withBytes(cell, { list.next(in: $0) }) {
            guard row.people.count < Self.maxPeople else {
                note(.tooManyPeople, field, cell, of: &row)
                return
            }
            var name = cell.part(range)
            var role: ContributorRole?
            if let bracket = arena.withBytes(name, { PersonName.bracket($0) }),
                let named = arena.withBytes(name.part(bracket), { ContributorRole(word: $0) })
            {
                role = named
                name = name.part(0..<bracket.lowerBound - 1)
            }
            if inverts, list.mayBeInverted { name = readingOrder(of: name) }
            addPerson(name, as: role, to: &row)
        }
    }

    /// Reads the people of a record whose names and roles stand in two columns and run parallel.
    mutating func readPeople(of row: inout LibraryRow, names: Int, roles: Int?) {
        row.people = people.count..<people.count
        let roles = roles.map { cell(column: $0, of: row) } ?? .none
        readNames(
            cell(column: names, of: row), rolesIn: roles, in: .additionalAuthors, inverts: false, of: &row)
    }

    /// Reads names and roles that run parallel, parted by `|`: `Le Guin, Ursula K.|Barton, Todd` and
    /// `|Illustrator`. A role nobody knows makes a contributor, or the author of whoever stands first.
    ///
    /// - Parameter inverts: Whether the family name comes first.
    mutating func readNames(
        _ names: Text, rolesIn roles: Text, in field: LibraryField, inverts: Bool = true,
        of row: inout LibraryRow
    ) {
        let bar = UInt8(ascii: "|")
        var (namesLeft, rolesLeft) = (names, roles)
        while !namesLeft.isEmpty {
            guard row.people.count < Self.maxPeople else {
                note(.tooManyPeople, field, names, of: &row)
                return
            }
            let part = arena.cut(at: bar, from: &namesLeft)
            let word = arena.cut(at: bar, from: &rolesLeft)
            let role = arena.withBytes(word) { ContributorRole(word: $0) }
            addPerson(inverts ? readingOrder(of: part) : part, as: role, to: &row)
        }
    }

    /// Adds a person whom the row does not yet name.
    mutating func addPerson(_ name: Text, as role: ContributorRole? = nil, to row: inout LibraryRow) {
        let name = arena.folded(name)
        guard !name.isEmpty, !row.people.contains(where: { arena.equal(people[$0].name, name) }) else {
            return
        }
        if row.people.isEmpty { row.people = people.count..<people.count }
        people.append(Person(name: name, role: role ?? (row.people.isEmpty ? .author : .contributor)))
        row.people = row.people.lowerBound..<people.count
    }

    /// Moves the author before those whose roles are others: a list of names may begin with its translator. Where none
    /// is named as such it is the first whose role is not named.
    mutating func putAuthorFirst(of row: LibraryRow) {
        let author =
            row.people.first { people[$0].role == .author }
            ?? row.people.first { people[$0].role == .contributor }
        guard let author else { return }
        people[author].role = .author
        people[row.people.lowerBound...author].rotateLastToFront()
    }

    /// `Guin, Ursula K. Le` as `Ursula K. Le Guin`; `Jr., Walter M. Miller` as `Walter M. Miller Jr.`
    mutating func readingOrder(of name: Text) -> Text {
        guard let comma = arena.withBytes(name, { PersonName.inversion($0) }) else { return name }
        let family = arena.bytes(name.part(0..<comma))
        let given = arena.bytes(name.part(comma + 1..<Int(name.length)))
        return arena.append(given + [0x20] + family)
    }
}

extension ArraySlice {
    /// Moves the last element before all others.
    fileprivate mutating func rotateLastToFront() {
        if let last = popLast() { insert(last, at: startIndex) }
    }
}

extension Arena {
    /// Cuts off what stands before the next such byte.
    fileprivate func cut(at separator: UInt8, from left: inout Text) -> Text {
        let whole = left
        let end = withBytes(whole) { $0.firstIndex(of: separator) } ?? Int(whole.length)
        left = whole.part(min(end + 1, Int(whole.length))..<Int(whole.length))
        return whole.part(0..<end)
    }
}

extension ContributorRole {
    /// The role a word names, in any case: `Translator`, `Übersetzer`, `Trad.`; nil for a word that names none.
    init?(word bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmedBlanks
        guard !trimmed.isEmpty else { return nil }
        let word = String(decoding: bytes[trimmed], as: UTF8.self).lowercased()
        guard let known = Self.words.first(where: { word.hasPrefix($0.beginning) }) else { return nil }
        self = known.role
    }

    private static let words: [(beginning: String, role: ContributorRole)] = [
        ("trans", .translator), ("trad", .translator), ("übers", .translator), ("vertal", .translator),
        ("illus", .illustrator), ("artist", .illustrator), ("drawing", .illustrator),
        ("edit", .editor), ("herausgeb", .editor), ("hrsg", .editor), ("compil", .editor),
        ("narrat", .narrator), ("reader", .narrator), ("read by", .narrator), ("sprecher", .narrator),
        ("author", .author), ("autor", .author), ("writer", .author), ("auteur", .author),
    ]
}
