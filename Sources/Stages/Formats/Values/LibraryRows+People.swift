package import Books
import Bytes

extension LibraryRows {
    /// Maximum number of people per record. Candidates store an author's index in one byte.
    package static let maxPeople = PeopleCell.maxPeople

    /// Reads the people: the author, then the additional authors, then the contributors with their roles in
    /// brackets. The first one is the author unless a role says otherwise.
    ///
    /// Additional authors are separated by commas. The author cell is read as any cell of names.
    package mutating func readPeople(of row: inout LibraryRow) {
        row.people = people.count..<people.count
        readCell(.author, of: &row)
        if row.people.isEmpty { readCell(.authorLastFirst, .familyFirst, of: &row) }
        readList(.additionalAuthors, of: &row)
        readList(.contributors, of: &row)
    }

    private mutating func readList(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        if !cell.isEmpty { readNames(cell, in: field, of: &row) }
    }

    /// Reads the people of a table that may separate names in any way (``PeopleCell``).
    mutating func readPeopleInAnyForm(of row: inout LibraryRow) {
        row.people = people.count..<people.count
        readCell(.author, of: &row)
        if row.people.isEmpty { readCell(.authorLastFirst, .familyFirst, of: &row) }
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
    /// - Parameters:
    ///   - order: The order of the parts of names; nil for that of the file.
    ///   - role: The role of people whose role the cell does not state.
    private mutating func readCell(
        _ field: LibraryField, _ order: NameOrder? = nil, as role: ContributorRole? = nil,
        of row: inout LibraryRow
    ) {
        let cell = cell(field, of: row)
        if !cell.isEmpty {
            readPeople(in: cell, order ?? columns.nameOrder, as: role, field, whole: cell, of: &row)
        }
    }

    /// Reads the people that a text names.
    ///
    /// - Parameters:
    ///   - role: The role of people whose role the text does not state.
    ///   - field: The field of the cell.
    ///   - cell: The cell that the text is of, for warnings.
    private mutating func readPeople(
        in text: Text, _ order: NameOrder, as role: ContributorRole? = nil, _ field: LibraryField,
        whole cell: Text, of row: inout LibraryRow
    ) {
        if arena.withBytes(text, { PeopleCell.isPlainName($0) }) {
            guard row.people.count < Self.maxPeople else {
                return note(.tooManyPeople, field, cell, of: &row)
            }
            return addPerson(text, as: role, to: &row)
        }
        if order == .familyFirst, let place = arena.withBytes(text, { PersonName.plainInversion($0) }) {
            guard row.people.count < Self.maxPeople else {
                return note(.tooManyPeople, field, cell, of: &row)
            }
            let (given, family) = (text.part(place.given), text.part(place.family))
            return addPerson(
                arena.append(arena.bytes(given) + [0x20] + arena.bytes(family)), as: role, to: &row)
        }
        let found = PeopleCell(arena[text], order)
        for person in found.people {
            guard row.people.count < Self.maxPeople else {
                return note(.tooManyPeople, field, cell, of: &row)
            }
            addPerson(arena.append(person.name), as: person.role ?? role, to: &row)
        }
        if !found.leftOut.isEmpty { note(.nobodyNamed, field, cell, of: &row) }
    }

    /// Reads a list of names, each with an optional role in brackets: `László Szíjgyártó (Translator)`.
    ///
    /// - Parameter separator: Separates the names; nil for `;` if the cell contains one, and `,` otherwise.
    mutating func readNames(
        _ cell: Text, in field: LibraryField, separator: UInt8? = nil, of row: inout LibraryRow
    ) {
        var list = arena.withBytes(cell) { NameList($0, separator: separator) }
        while let range = arena.withBytes(cell, { list.next(in: $0) }) {
            guard row.people.count < Self.maxPeople else {
                note(.tooManyPeople, field, cell, of: &row)
                return
            }
            readPeople(in: cell.part(range), list.order, field, whole: cell, of: &row)
        }
    }

    /// Reads a list of names that this program wrote: only roles in brackets are read, and names stay as they are.
    mutating func readOwnNames(_ cell: Text, in field: LibraryField, of row: inout LibraryRow) {
        var list = arena.withBytes(cell) { NameList($0, separator: UInt8(ascii: ";")) }
        while let range = arena.withBytes(cell, { list.next(in: $0) }) {
            guard row.people.count < Self.maxPeople else {
                note(.tooManyPeople, field, cell, of: &row)
                return
            }
            let name = cell.part(range)
            guard arena.withBytes(name, { $0.last == UInt8(ascii: ")") }) else {
                addPerson(name, to: &row)
                continue
            }
            let (bare, role) = PeopleCell.withoutRoles(arena[name])
            addPerson(role == nil ? name : arena.append(bare), as: role, to: &row)
        }
    }

    /// Reads the people of a record with names and roles in two parallel columns.
    ///
    /// - Parameter order: The order of the parts of names; nil if the names are known to be one person's each.
    mutating func readPeople(of row: inout LibraryRow, names: Int, roles: Int?, order: NameOrder? = nil) {
        row.people = people.count..<people.count
        let roles = roles.map { cell(column: $0, of: row) } ?? .none
        readNames(
            cell(column: names, of: row), rolesIn: roles, in: .additionalAuthors, order: order, of: &row)
    }

    /// Reads parallel lists of names and roles, separated by `|`: `Le Guin, Ursula K.|Barton, Todd` and
    /// `|Illustrator`. A person with an unknown role is a contributor, or the author if first.
    ///
    /// - Parameter order: The order of the parts of names; nil if the names are known to be one person's each.
    mutating func readNames(
        _ names: Text, rolesIn roles: Text, in field: LibraryField, order: NameOrder? = nil,
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
            if let order {
                readPeople(in: arena.trimmed(part), order, as: role, field, whole: names, of: &row)
            } else if part.length > Self.longestNobody || namesSomeone(part, field, &row) {
                addPerson(part, as: role, to: &row)
            }
        }
    }

    /// Bytes of the longest text that stands for nobody.
    private static let longestNobody = 8

    /// Whether a text is a name. Notes what stands for people who are not named.
    private func namesSomeone(_ name: Text, _ field: LibraryField, _ row: inout LibraryRow) -> Bool {
        let found = PeopleCell(arena[name], .readingOrder)
        if !found.leftOut.isEmpty { note(.nobodyNamed, field, name, of: &row) }
        return !found.people.isEmpty
    }

    /// `Guin, Ursula K. Le` becomes `Ursula K. Le Guin` (``PersonName``).
    mutating func readingOrder(of name: Text) -> Text {
        guard arena.withBytes(name, { $0.contains(UInt8(ascii: ",")) }) else { return name }
        return arena.append(arena.withBytes(name) { PersonName.readingOrder($0) })
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
}

extension ArraySlice {
    /// Moves the last element to the front.
    fileprivate mutating func rotateLastToFront() {
        if let last = popLast() { insert(last, at: startIndex) }
    }
}
