package import Books
import Bytes

extension LibraryRows {
    /// Maximum number of people per record. Candidates store an author's index in one byte.
    package static let maxPeople = 255

    /// Reads the people: the author, then the additional authors, then the contributors with their roles in
    /// brackets. The first one is the author unless a role says otherwise.
    ///
    /// The author cell names one person, unless it contains `;`. Additional authors are separated by commas.
    package mutating func readPeople(of row: inout LibraryRow) {
        row.people = people.count..<people.count
        let author = cell(.author, of: row)
        if author.isEmpty {
            let inverted = cell(.authorLastFirst, of: row)
            if !inverted.isEmpty {
                let name = readingOrder(of: inverted)
                addPerson(name, to: &row)
            }
        } else if arena.withBytes(author, { $0.contains(UInt8(ascii: ";")) }) {
            readNames(author, in: .author, of: &row)
        } else {
            addPersonWithRole(author, to: &row)
        }
        let others = cell(.additionalAuthors, of: row)
        if !others.isEmpty { readNames(others, in: .additionalAuthors, of: &row) }
        let contributors = cell(.contributors, of: row)
        if !contributors.isEmpty { readNames(contributors, in: .contributors, of: &row) }
    }

    /// Reads the people of a table that may separate names in any way (``PeopleCell``).
    mutating func readPeopleInAnyForm(of row: inout LibraryRow) {
        row.people = people.count..<people.count
        readCell(.author, of: &row)
        if row.people.isEmpty {
            let inverted = cell(.authorLastFirst, of: row)
            if !inverted.isEmpty {
                for person in PeopleCell(arena[inverted], .familyFirst).people { add(person, to: &row) }
            }
        }
        readCell(.additionalAuthors, of: &row)
        readCell(.contributors, of: &row)
        readCell(.translators, as: .translator, of: &row)
        readCell(.illustrators, as: .illustrator, of: &row)
        readCell(.editors, as: .editor, of: &row)
        readCell(.narrators, as: .narrator, of: &row)
        putAuthorFirst(of: row)
    }

    /// Reads the people of one cell.
    ///
    /// - Parameter role: The role of people whose role the cell does not state.
    private mutating func readCell(
        _ field: LibraryField, as role: ContributorRole? = nil, of row: inout LibraryRow
    ) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty else { return }
        if arena.withBytes(cell, { Self.isOnePerson($0) }) { return addPerson(cell, as: role, to: &row) }
        for person in PeopleCell(arena[cell], columns.nameOrder).people {
            guard row.people.count < Self.maxPeople else {
                note(.tooManyPeople, field, cell, of: &row)
                return
            }
            add(person, as: role, to: &row)
        }
    }

    private mutating func add(
        _ person: PeopleCell.Named, as role: ContributorRole? = nil, to row: inout LibraryRow
    ) {
        addPerson(arena.append(person.name), as: person.role ?? role, to: &row)
    }

    /// Whether a cell is certainly a single name: nothing in it may separate names or state a role.
    private static func isOnePerson(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var word: UInt64 = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"),
                UInt8(ascii: "/"),
                UInt8(ascii: "+"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"),
                UInt8(ascii: ":"), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"):
                return false
            case _ where word == 0 && PeopleCell.mayBeginDash(byte):
                return false
            case UInt8(ascii: " "):
                if PeopleCell.isJoint(word) || ContributorRole.mayLead(word)
                    || PeopleCell.mayStandForOthers(word)
                {
                    return false
                }
                word = 0
            default:
                word = word << 8 | UInt64(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
            }
        }
        return !PeopleCell.mayStandForOthers(word)
    }

    /// Adds a person without the roles after the name.
    private mutating func addPersonWithRole(_ name: Text, to row: inout LibraryRow) {
        guard arena.withBytes(name, { PeopleCell.mayEndInRole($0) }) else { return addPerson(name, to: &row) }
        let (bare, role) = PeopleCell.withoutRoles(arena[name])
        addPerson(arena.append(bare), as: role, to: &row)
    }

    /// Reads a list of names, each with an optional role in brackets: `László Szíjgyártó (Translator)`.
    ///
    /// - Parameters:
    ///   - separator: Separates the names; nil for `;` if the cell contains one, and `,` otherwise.
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
            while let bracket = arena.withBytes(name, { PersonName.bracket($0) }),
                let named = arena.withBytes(name.part(bracket), { ContributorRole(word: $0) })
            {
                role = role == .author ? role : named
                name = arena.trimmed(name.part(0..<bracket.lowerBound - 1))
            }
            if role == nil, arena.withBytes(name, { PeopleCell.mayEndInRole($0) }) {
                let stated = PeopleCell.withoutRoles(arena[name])
                if let found = stated.role { (name, role) = (arena.append(stated.name), found) }
            }
            if inverts, list.mayBeInverted { name = readingOrder(of: name) }
            addPerson(name, as: role, to: &row)
        }
    }

    /// Reads the people of a record with names and roles in two parallel columns.
    mutating func readPeople(of row: inout LibraryRow, names: Int, roles: Int?) {
        row.people = people.count..<people.count
        let roles = roles.map { cell(column: $0, of: row) } ?? .none
        readNames(
            cell(column: names, of: row), rolesIn: roles, in: .additionalAuthors, inverts: false, of: &row)
    }

    /// Reads parallel lists of names and roles, separated by `|`: `Le Guin, Ursula K.|Barton, Todd` and
    /// `|Illustrator`. A person with an unknown role is a contributor, or the author if first.
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

    /// Adds a person unless the row already has the name.
    mutating func addPerson(_ name: Text, as role: ContributorRole? = nil, to row: inout LibraryRow) {
        let name = arena.collapsingBlanks(name)
        guard !name.isEmpty, !row.people.contains(where: { arena.equal(people[$0].name, name) }) else {
            return
        }
        if row.people.isEmpty { row.people = people.count..<people.count }
        people.append(Person(name: name, role: role ?? (row.people.isEmpty ? .author : .contributor)))
        row.people = row.people.lowerBound..<people.count
    }

    /// Moves the author to the front, because a list of names may begin with a translator. If no one has the
    /// role of author, the first contributor becomes the author.
    mutating func putAuthorFirst(of row: LibraryRow) {
        let author =
            row.people.first { people[$0].role == .author }
            ?? row.people.first { people[$0].role == .contributor }
        guard let author else { return }
        people[author].role = .author
        if author > row.people.lowerBound { people[row.people.lowerBound...author].rotateLastToFront() }
    }

    /// `Guin, Ursula K. Le` becomes `Ursula K. Le Guin`, and `Jr., Walter M. Miller` becomes `Walter M.
    /// Miller Jr.`
    mutating func readingOrder(of name: Text) -> Text {
        guard let comma = arena.withBytes(name, { PersonName.inversion($0) }) else { return name }
        let family = arena.bytes(name.part(0..<comma))
        let given = arena.bytes(name.part(comma + 1..<Int(name.length)))
        return arena.append(given + [0x20] + family)
    }
}

extension ArraySlice {
    /// Moves the last element to the front.
    fileprivate mutating func rotateLastToFront() {
        if let last = popLast() { insert(last, at: startIndex) }
    }
}
