import Bytes

/// The steps of interpreting a record that profiles share.
extension LibraryRows {
    /// Reads a record of a table whose columns say what they are, and whose cells need no words of its own: all the
    /// steps, in their order.
    mutating func readPlainTable(_ row: inout LibraryRow) {
        readTitle(of: &row)
        readSeriesColumn(of: &row)
        readPeople(of: &row)
        readFormat(of: &row)
        readLanguage(of: &row)
        readShelf(of: &row)
        readRating(of: &row)
        checkDatesAndCounts(of: &row)
        setAsideWhatIsNoBook(&row)
    }

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

    /// Reads series with the place in brackets behind each name: `Sprawl (#0.0)`, `Dune (#1.0), Dune Chronicles (#1.0)`.
    mutating func readBracketedSeries(of row: inout LibraryRow) {
        let cell = cell(.series, of: row)
        guard !cell.isEmpty else { return }
        if row.series.isEmpty { row.series = series.count..<series.count }
        for (name, number) in BracketedSeries.mentions(in: arena[cell]) {
            let name = arena.folded(arena.append(name))
            guard !name.isEmpty, !row.series.contains(where: { arena.equal(series[$0].name, name) }) else {
                continue
            }
            series.append(SeriesMention(name: name, number: arena.append(number)))
            row.series = row.series.lowerBound..<series.count
        }
    }

    /// Reads the binding.
    mutating func readFormat(of row: inout LibraryRow) {
        let cell = cell(.binding, of: row)
        if !cell.isEmpty { row.format = arena.withBytes(cell) { EditionFormat(binding: $0) } }
    }

    /// Notes dates, years and counts that cannot be read. Their cells stay as they are.
    mutating func checkDatesAndCounts(of row: inout LibraryRow) {
        readCount(.readCount, of: &row)
        readCount(.ownedCopies, of: &row)
        readPages(of: &row)
        readAverageRating(of: &row)
        checkDate(.dateAdded, of: &row)
        checkDate(.dateRead, of: &row)
        checkDate(.dateStarted, of: &row)
        checkDate(.purchaseDate, of: &row)
        readYear(.yearPublished, of: &row)
        readYear(.originalYear, of: &row)
    }

    private func checkDate(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty, arena.withBytes(cell, { CalendarDate($0) == nil && !$0.trimmedBlanks.isEmpty })
        else { return }
        noteUnreadable(.dateDamaged, field, cell, of: &row)
    }

    /// Notes a cell that cannot be read: what is stored of its field stays.
    func noteUnreadable(_ reason: ReasonCode, _ field: LibraryField, _ cell: Text, of row: inout LibraryRow) {
        note(reason, field, cell, of: &row)
        row.unreadable.insert(field)
    }

    /// Bytes of a cell that a notice repeats.
    static let shownBytes = 200

    /// Notes something about a field, with what its cell holds.
    func note(_ reason: ReasonCode, _ field: LibraryField, _ cell: Text, of row: inout LibraryRow) {
        let name = columns[field].map { columns.names[$0] }
        row.notices.append(Notice(reason, field: name, value: shown(cell)))
    }

    /// As much of a cell as a notice repeats.
    func shown(_ cell: Text) -> String { arena[cell.part(0..<min(Int(cell.length), Self.shownBytes))] }
}
