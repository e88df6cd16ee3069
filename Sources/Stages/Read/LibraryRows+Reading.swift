/// The steps of interpreting a record that profiles share.
extension LibraryRows {
    /// People kept of one record: candidates number authors in a byte.
    static let mostPeople = 255

    /// Reads title and series from the title's cell: `Hyperion (Hyperion Cantos, #1)`.
    mutating func readTitle(of row: inout LibraryRow) {
        let cell = cell(.title, of: row)
        let parsed = arena.withBytes(cell) { SeriesTitle($0) }
        row.title = arena.folded(cell.part(parsed.title))
        let first = series.count
        row.series = first..<first
        guard !parsed.bracket.isEmpty else { return }

        if !parsed.rest.isEmpty {
            let (head, tail) = (arena.bytes(row.title), arena.bytes(cell.part(parsed.rest)))
            row.title = arena.folded(arena.append(head + [0x20] + tail))
        }
        var mentions = SeriesTitle.Mentions(of: parsed)
        while let mention = arena.withBytes(cell, { mentions.next(in: $0) }) {
            let name = arena.folded(cell.part(mention.name))
            series.append(SeriesMention(name: name, number: arena.folded(cell.part(mention.number))))
        }
        row.series = first..<series.count
    }

    /// Reads a series that has a column of its own; one the title already named is not repeated.
    mutating func readSeriesColumn(of row: inout LibraryRow) {
        let name = arena.folded(cell(.series, of: row))
        guard !name.isEmpty, !row.series.contains(where: { arena.equal(series[$0].name, name) }) else {
            return
        }
        let number = arena.folded(cell(.seriesNumber, of: row))
        if row.series.isEmpty { row.series = series.count..<series.count }
        series.append(SeriesMention(name: name, number: number))
        row.series = row.series.lowerBound..<series.count
    }

    /// Reads the people: the author, and those of the list beside it. Whoever stands first is the author.
    mutating func readPeople(of row: inout LibraryRow) {
        row.people = people.count..<people.count
        let author = cell(.author, of: row)
        if author.isEmpty {
            let inverted = cell(.authorLastFirst, of: row)
            if !inverted.isEmpty {
                let name = readingOrder(of: inverted)
                addPerson(name, to: &row)
            }
        } else {
            readAuthor(author, of: &row)
        }
        let others = cell(.additionalAuthors, of: row)
        if !others.isEmpty { readNames(others, in: .additionalAuthors, of: &row) }
    }

    /// Reads the binding.
    mutating func readFormat(of row: inout LibraryRow) {
        let cell = cell(.binding, of: row)
        if !cell.isEmpty { row.format = arena.withBytes(cell) { EditionFormat(binding: $0) } }
    }

    /// Notes dates and years that cannot be read. Their cells stay as they are.
    mutating func checkDates(of row: inout LibraryRow) {
        checkDate(.dateAdded, of: &row)
        checkDate(.dateRead, of: &row)
        checkDate(.dateStarted, of: &row)
        checkDate(.purchaseDate, of: &row)
        checkYear(.yearPublished, of: &row)
        checkYear(.originalYear, of: &row)
    }

    private func checkDate(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty, arena.withBytes(cell, { CalendarDate($0) == nil && !$0.trimmedBlanks.isEmpty })
        else { return }
        note(.dateDamaged, field, cell, of: &row)
    }

    private func checkYear(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty, arena.withBytes(cell, { CalendarYear.read($0) == .damaged }) else { return }
        note(.yearDamaged, field, cell, of: &row)
    }

    /// Bytes of a cell that a notice repeats.
    private static let shownBytes = 200

    private func note(_ reason: ReasonCode, _ field: LibraryField, _ cell: Text, of row: inout LibraryRow) {
        let name = columns[field].map { columns.names[$0] }
        let shown = arena[cell.part(0..<min(Int(cell.length), Self.shownBytes))]
        row.notices.append(Notice(reason, field: name, value: shown))
    }

    /// An author's cell names one person, unless `;` parts several.
    private mutating func readAuthor(_ cell: Text, of row: inout LibraryRow) {
        if arena.withBytes(cell, { $0.contains(UInt8(ascii: ";")) }) {
            readNames(cell, in: .author, of: &row)
        } else {
            addPerson(cell, to: &row)
        }
    }

    private mutating func readNames(_ cell: Text, in field: LibraryField, of row: inout LibraryRow) {
        var list = arena.withBytes(cell) { NameList($0) }
        while let range = arena.withBytes(cell, { list.next(in: $0) }) {
            guard row.people.count < Self.mostPeople else {
                note(.tooManyPeople, field, cell, of: &row)
                return
            }
            let name = list.mayBeInverted ? readingOrder(of: cell.part(range)) : cell.part(range)
            addPerson(name, to: &row)
        }
    }

    /// Adds a person whom the row does not yet name.
    private mutating func addPerson(_ name: Text, to row: inout LibraryRow) {
        let name = arena.folded(name)
        guard !name.isEmpty, !row.people.contains(where: { arena.equal(people[$0].name, name) }) else {
            return
        }
        people.append(Person(name: name, role: row.people.isEmpty ? .author : .contributor))
        row.people = row.people.lowerBound..<people.count
    }

    /// `Guin, Ursula K. Le` as `Ursula K. Le Guin`; `Jr., Walter M. Miller` as `Walter M. Miller Jr.`
    private mutating func readingOrder(of name: Text) -> Text {
        guard let comma = arena.withBytes(name, { PersonName.inversion($0) }) else { return name }
        let family = arena.bytes(name.part(0..<comma))
        let given = arena.bytes(name.part(comma + 1..<Int(name.length)))
        return arena.append(given + [0x20] + family)
    }
}
